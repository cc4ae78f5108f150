"""What tests may require: system packages, and the real graphs beside the project.

- `@pytest.mark.needs_system("gcc")`: skipped if the Debian package is missing
  (tests/system.txt lists them, `make system` installs them); a failure if CI=true.
- `shared`, a fixture, or `@pytest.mark.needs_shared`: the folder of real graphs,
  `../shared` or $RELATED_SHARED; skipped if it is missing.

Tests skipped because something is missing are listed at the end of the run.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from tests import system
from tests.cli.commands import LINKS, related

IN_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")
NEEDS = "needs "
SHARED = Path(os.environ.get("RELATED_SHARED") or system.TOP.parent / "shared")

# Fixed seeds; a busy machine must not fail tests.
settings.register_profile(
    "fixed",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fixed")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs_system(package, ...): needs these Debian packages")
    config.addinivalue_line("markers", "needs_shared: needs the folder of real graphs")
    config.addinivalue_line("markers", "no_cover: is left out of the coverage")
    _heed_signals()


def _heed_signals() -> None:
    """Let the commands under test end by signals, even if the tests run in the background.

    A child inherits signals that its parent ignores: SIGHUP under nohup, SIGINT in a background
    job.
    """
    for number, handler in (
        (signal.SIGHUP, signal.SIG_DFL),
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGTERM, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave random examples out of the coverage: a hundred of a kind cost much and add no line."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("no_cover")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    wanted = [name for mark in item.iter_markers("needs_system") for name in mark.args]
    missing = [name for name in wanted if not system.is_there(name)]
    if missing:
        _do_without(item, f"system package {', '.join(missing)} (make system)", fatal=IN_CI)
    wants_shared = item.get_closest_marker("needs_shared") or "shared" in item.fixturenames
    if wants_shared and not SHARED.is_dir():
        _do_without(item, "the real graphs of ../shared", fatal=False)


def _do_without(item: pytest.Item, what: str, *, fatal: bool) -> None:
    if fatal:
        pytest.fail(f"Needs {what}, and nothing is skipped under CI.", pytrace=False)
    pytest.skip(f"{NEEDS}{what}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what was skipped; from the reports, since the tests may run in other processes."""
    lacking: dict[str, list[str]] = {}
    for report in terminalreporter.stats.get("skipped", []):
        _, _, reason = report.longrepr
        _, needs, what = reason.partition(NEEDS)
        if needs:
            lacking.setdefault(what, []).append(report.nodeid)
    for what, tests in lacking.items():
        terminalreporter.section(f"skipped without {what}: {len(tests)}")
        for test in tests:
            terminalreporter.line(test)


@pytest.fixture
def shared() -> Path:
    """The folder of real graphs, which holds `data/`; skips the test if it is missing."""
    return SHARED


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with links.tsv and the graph made of it."""
    made = tmp_path_factory.mktemp("cli")
    (made / "links.tsv").write_text(LINKS)
    done = related("build", "links.tsv", cwd=made)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "web.graph: 4 pages, 4 links\n"
    return made
