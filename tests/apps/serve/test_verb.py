"""`related serve`: what it needs before it begins."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.cli.commands import RELATED, related
from tests.waiting import PATIENCE, PATIENT_SERVER, eventually
from whatsrelated.apps.serve import verb as serve
from whatsrelated.errors import MissingExtra, OptionError


def test_the_token_is_that_of_the_file_else_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RELATED_TOKEN", raising=False)
    assert serve.token(None) is None
    monkeypatch.setenv("RELATED_TOKEN", "from-the-environment")
    assert serve.token(None) == "from-the-environment"
    (tmp_path / "token").write_text("from-the-file\n")
    assert serve.token(str(tmp_path / "token")) == "from-the-file"
    (tmp_path / "token").write_text("short")
    with pytest.raises(OptionError, match="a token must have at least 8 plain characters"):
        serve.token(str(tmp_path / "token"))


def test_a_missing_package_is_named_with_the_way_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serve, "NEEDED", ("surely_not_installed",))
    with pytest.raises(MissingExtra, match=r"surely_not_installed: pip install .*server"):
        serve.serve(["sample"])


def test_a_missing_graph_is_one_line(tmp_path: Path) -> None:
    done = related("serve", "no.graph", "--port", "0", cwd=tmp_path)
    assert done.returncode == 2
    assert "no.graph does not exist" in done.stderr
    assert "Traceback" not in done.stderr


class ServedFolder:
    """A folder served by separate processes."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [RELATED, *(words or ["serve", str(folder), "--port", "0"])],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **PATIENT_SERVER, "XDG_CACHE_HOME": str(folder.parent / "cache")},
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()

    def links(self, page: Path) -> list[str]:
        reply = httpx.get(
            f"{self.address}api/links", params={"url": str(page)}, timeout=PATIENCE
        ).json()
        return [link["url"] for link in reply["links_out"]]

    def children(self) -> list[int]:
        pid = self.process.pid
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def close(self) -> int:
        self.process.terminate()
        with self.process:
            return self.process.wait(PATIENCE)


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_folder_or_a_file_in_place_of_a_verb_is_served(kind: str, tmp_path: Path) -> None:
    source = tmp_path / "tea.tsv"
    if kind == "file":
        source.write_text("tea\tmilk\n")
    else:
        source.mkdir()
        (source / "tea.html").write_text('<a href="milk.html">milk</a>')
    server = ServedFolder(source, str(source), "--port", "0")
    try:
        health = httpx.get(f"{server.address}api/health", timeout=PATIENCE).json()
        assert health["links"] == 1
    finally:
        assert server.close() == 0
    (graph,) = (tmp_path / "cache" / "whatsrelated").glob("tea.tsv-*.graph")
    if kind == "file":
        source.write_text("tea\tmilk\ntea\tsugar\n")
        os.utime(source, (graph.stat().st_mtime + 10,) * 2)
        server = ServedFolder(source, str(source), "--port", "0")
        try:
            health = httpx.get(f"{server.address}api/health", timeout=PATIENCE).json()
            assert health["links"] == 2, "the file is newer than its graph"
        finally:
            server.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, ServedFolder]]:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Tea time.md").write_text("[[Milk]]")
    (notes / "Cake.md").write_text("[[Milk]] [[Tea time]]")
    server = ServedFolder(notes)
    try:
        yield notes, server
    finally:
        server.close()


def test_a_folder_of_notes_is_served_and_followed_without_a_failed_request(
    served: tuple[Path, ServedFolder],
) -> None:
    notes, server = served
    tea = notes / "Tea time.md"
    assert server.links(tea) == ["Milk"]
    related_to = f"{server.address}api/related"
    for number in range(3):
        tea.write_text(f"[[Sugar {number}]] [[Milk]]")
        expected = [f"Sugar {number}", "Milk"]

        def has_followed(expected: list[str] = expected) -> bool:
            answer = httpx.get(related_to, params={"url": str(tea)}, timeout=PATIENCE)
            assert answer.status_code == 200, answer.text
            assert answer.json()["answered_for"] == ["Tea time"]
            return server.links(tea) == expected

        eventually(has_followed)
    assert server.close() == 0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")
def test_a_killed_follower_is_replaced_and_all_end_with_the_server(
    served: tuple[Path, ServedFolder],
) -> None:
    notes, server = served
    worker, follower = server.children()
    os.kill(follower, signal.SIGKILL)
    eventually(lambda: len(set(server.children()) - {follower}) == 2)
    (notes / "Cake.md").write_text("[[Lemon]]")
    eventually(lambda: server.links(notes / "Cake.md") == ["Lemon"])
    left = server.children()
    assert worker in left
    server.process.kill()
    eventually(lambda: not any(_runs(pid) for pid in left))


def _runs(pid: int) -> bool:
    """Whether a process is there, and not only its remains."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def test_a_folder_without_pages_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = related("serve", "empty", cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.returncode == 2
    assert "empty is neither a graph nor a source of pages or links" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["sample", "--host", "0.0.0.0"], "could query the graph"),
        (["docs=sample", "sample"], "several graphs need names, NAME=FOLDER; got 'sample'"),
        (["docs=sample", "docs=sample"], "two graphs are named 'docs'"),
        (["api=sample"], "must not be api, static; got 'api'"),
        (["docs=no.graph"], "no.graph does not exist"),
    ],
)
def test_a_server_that_cannot_start_is_one_sentence(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    done = related("serve", *words, "--port", "0", cwd=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_token_for_a_graph_that_is_not_served_is_refused(tmp_path: Path) -> None:
    assert related("token", "anna", "--graphs", "wiki", cwd=tmp_path).returncode == 0
    done = related("serve", "docs=sample", "--tokens", "tokens.toml", "--port", "0", cwd=tmp_path)
    assert done.returncode == 2
    assert "a token is for 'wiki', which is not among the graphs served: docs." in done.stderr
