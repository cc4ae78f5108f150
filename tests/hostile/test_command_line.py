"""For any arguments, the command ends with an answer, or one sentence and status 1 or 2."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.graphs import QUERY, copy_of
from tests.hostile.processes import RELATED, Forks, obey_modes, run

LONG = "x" * 300
DEEP = "/".join(["y" * 200] * 25)
OTHER = "https://www.h4.org/4"

WORDS: dict[str, list[str]] = {
    "output in a long name": ["build", "links.tsv", "-o", LONG],
    "output in a deep folder": ["build", "links.tsv", "-o", DEEP],
    "output that is a file": ["build", "links.tsv", "-o", "links.tsv"],
    "output below a file": ["build", "links.tsv", "-o", "links.tsv/web.graph"],
    "output that is a device": ["build", "links.tsv", "-o", "/dev/null"],
    "output with a NUL": ["build", "links.tsv", "-o", "a\0b"],
    "output without a name": ["build", "links.tsv", "-o", ""],
    "source in a long name": ["build", LONG, "-o", "new.graph"],
    "source in a deep folder": ["build", DEEP, "-o", "new.graph"],
    "source below a file": ["build", "links.tsv/links.tsv", "-o", "new.graph"],
    "source with a NUL": ["build", "a\0b", "-o", "new.graph"],
    "source that is a socket": ["build", "socket", "-o", "new.graph"],
    "source that is a loop": ["build", "loop", "-o", "new.graph"],
    "source without a name": ["build", "", "-o", "new.graph"],
    "source that is memory": ["build", "/proc/self/mem", "-o", "new.graph"],
    "temporary files nowhere": ["build", "links.tsv", "-o", "new.graph", "--temp", "none/none"],
    "temporary files in a long name": ["build", "links.tsv", "-o", "new.graph", "--temp", LONG],
    "names in a long name": ["build", "links.tsv", "-o", "new.graph", "--names-file", LONG],
    "memory of many digits": ["build", "links.tsv", "-o", "n", "--memory", "9" * 5000],
    "memory of odd digits": ["build", "links.tsv", "-o", "new.graph", "--memory", "²G"],
    "graph in a long name": ["to", QUERY, "-g", LONG],
    "graph in a deep folder": ["to", QUERY, "-g", DEEP],
    "graph below a file": ["to", QUERY, "-g", "links.tsv/web.graph"],
    "graph with a NUL": ["info", "-g", "a\0b"],
    "graph that is a loop": ["info", "-g", "loop"],
    "check in a long name": ["check", "-g", LONG],
    "export to a long name": ["export", "-g", "web.graph", "-o", f"{LONG}.jsonl"],
    "export to a deep folder": ["export", "-g", "web.graph", "-o", f"{DEEP}.jsonl"],
    "export to a folder": ["export", "-g", "web.graph", "-o", "folder.jsonl"],
    "export below a file": ["export", "-g", "web.graph", "-o", "links.tsv/out.jsonl"],
    "export of arrays to a file": [
        "export",
        "-g",
        "web.graph",
        "-o",
        "links.tsv",
        "--format",
        "npy",
    ],
    "export of arrays to a long name": ["export", "-g", "web.graph", "-o", LONG, "--format", "npy"],
    "parquet to a folder": ["export", "-g", "web.graph", "-o", "folder.parquet"],
    "ranks to a folder": ["rank", "-g", "web.graph", "--parquet", "folder.parquet"],
    "ranks to a long name": ["rank", "-g", "web.graph", "--parquet", LONG],
    "a picture in a folder": [
        "similarity",
        QUERY,
        OTHER,
        "-g",
        "web.graph",
        "--picture",
        "f.png/a.png",
    ],
    "a stop list in a long name": ["to", QUERY, "-g", "web.graph", "--stop", LONG],
    "a stop list that is a folder": ["to", QUERY, "-g", "web.graph", "--stop", "folder.jsonl"],
    "a stop list with a NUL": ["to", QUERY, "-g", "web.graph", "--stop", "a\0b"],
    "a stop list of odd digits": ["to", QUERY, "-g", "web.graph", "--stop", "auto:²"],
    "a stop list of many digits": ["to", QUERY, "-g", "web.graph", "--stop", "auto:" + "9" * 5000],
    "a limit of many digits": ["to", QUERY, "-g", "web.graph", "--limit", "9" * 5000],
    "a limit of odd digits": ["to", QUERY, "-g", "web.graph", "--limit", "²"],
    "a seed of many digits": ["to", QUERY, "-g", "web.graph", "--seed", "9" * 5000],
    "a seed past 64 bits": [
        "to",
        QUERY,
        "-g",
        "web.graph",
        "--by",
        "companion",
        "--seed",
        str(2**70),
    ],
    "parents past 64 bits": [
        "to",
        QUERY,
        "-g",
        "web.graph",
        "--by",
        "companion",
        "--parents",
        str(2**70),
    ],
    "siblings past 64 bits": [
        "to",
        QUERY,
        "-g",
        "web.graph",
        "--by",
        "lli",
        "--siblings",
        str(2**63),
    ],
    "a tolerance that is no number": [
        "to",
        QUERY,
        "-g",
        "web.graph",
        "--by",
        "hits",
        "--tolerance",
        "nan",
    ],
    "a damping of infinity": ["rank", "-g", "web.graph", "--damping", "inf"],
    "top past 64 bits": ["rank", "-g", "web.graph", "--top", str(2**70)],
    "threads past all threads": ["rank", "-g", "web.graph", "--threads", "100000"],
    "a page that is not Unicode": ["to", "\udcff\udcfe", "-g", "web.graph"],
    "a page of controls": ["to", "\x1b[31m\x07", "-g", "web.graph"],
    "an empty page": ["to", "", "-g", "web.graph"],
    "an evaluation of a folder": ["evaluate", "-g", "web.graph", "--queries", "folder.jsonl"],
    "a report in a folder": [
        "evaluate",
        "-g",
        "web.graph",
        "--hold-out",
        "0.1",
        "--by",
        "cpa",
        "--report",
        "folder.jsonl",
    ],
    "a token file that is binary": ["serve", "web.graph", "--token-file", "binary", "--port", "0"],
}


@pytest.fixture(scope="module")
def desk(small_graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that commands are given."""
    import socket

    folder = tmp_path_factory.mktemp("desk")
    copy_of(small_graph, folder / "web.graph")
    (folder / "links.tsv").write_text("a\tb\n")
    (folder / "binary").write_bytes(b"\xff\xfe\x00\x80" * 10)
    (folder / "loop").symlink_to("loop")
    for name in ("folder.jsonl", "folder.parquet"):
        (folder / name).mkdir()
        (folder / name / "mine").write_text("mine")
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(folder)
        made.bind("socket")
        os.chdir(here)
    return folder


@pytest.mark.parametrize("name", WORDS)
def test_a_command_ends_with_an_answer_or_one_sentence(name: str, desk: Path, forks: Forks) -> None:
    done = forks.one(*WORDS[name], cwd=desk, memory=4 << 30)
    assert done.is_tidy, done
    assert done.status == 0 or done.err.strip(), done
    assert not [entry for entry in desk.iterdir() if ".related-" in entry.name]


FORBIDDEN: dict[str, list[str]] = {
    "output in a folder that is not ours": ["build", "links.tsv", "-o", "locked/web.graph"],
    "output that is not ours": ["build", "links.tsv", "-o", "locked.graph"],
    "source that cannot be read": ["build", "secret.tsv", "-o", "mine/web.graph"],
    "folder that cannot be read": ["build", "secret", "-o", "mine/web.graph"],
    "page that cannot be read": ["build", "site", "-o", "mine/site.graph"],
    "names that cannot be read": [
        "build",
        "links.tsv",
        "-o",
        "mine/n",
        "--names-file",
        "secret.tsv",
    ],
    "temporary files in a folder that is not ours": [
        "build",
        "links.tsv",
        "-o",
        "mine/t",
        "--temp",
        "locked",
    ],
    "graph that cannot be read": ["to", QUERY, "-g", "unreadable.graph"],
    "graph whose arrays cannot be read": ["info", "-g", "half.graph"],
    "graph whose ranks cannot be read": ["rank", "-g", "ranks.graph", "--csv"],
    "graph below a folder that cannot be entered": ["info", "-g", "secret/web.graph"],
    "check of a graph that cannot be read": ["check", "-g", "unreadable.graph"],
    "export to a folder that is not ours": [
        "export",
        "-g",
        "locked.graph",
        "-o",
        "locked/out.jsonl",
    ],
    "arrays to a folder that is not ours": [
        "export",
        "-g",
        "locked.graph",
        "-o",
        "locked/out",
        "--format",
        "npy",
    ],
    "ranks to a folder that is not ours": [
        "rank",
        "-g",
        "locked.graph",
        "--parquet",
        "locked/ranks.parquet",
    ],
    "stop list that cannot be read": ["to", QUERY, "-g", "locked.graph", "--stop", "secret.tsv"],
    "queries that cannot be read": ["evaluate", "-g", "locked.graph", "--queries", "secret.tsv"],
    "report in a folder that is not ours": [
        *("evaluate", "-g", "locked.graph", "--hold-out", "0.1", "--by", "cpa"),
        *("--report", "locked/r.html"),
    ],
    "checkpoint in a folder that is not ours": [
        *("evaluate", "-g", "locked.graph", "--hold-out", "0.1", "--by", "cpa"),
        *("--checkpoint", "locked/c"),
    ],
    "token that cannot be read": [
        "serve",
        "locked.graph",
        "--token-file",
        "secret.tsv",
        "--port",
        "0",
    ],
    "rank that cannot be kept": ["rank", "-g", "locked.graph", "--by", "mbcc", "--csv"],
}
ALLOWED = (
    "rank that cannot be kept",
    "graph whose ranks cannot be read",
    "page that cannot be read",
)


@pytest.fixture(scope="module")
def locked_desk(small_graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which the modes forbid reading some files and writing most."""
    folder = tmp_path_factory.mktemp("locked-desk")
    for name in ("locked", "secret", "mine", "site"):
        (folder / name).mkdir()
    for name in ("links.tsv", "secret.tsv", "secret/links.tsv", "site/b.md"):
        (folder / name).write_text("a\tb\n")
    (folder / "site" / "a.md").write_text("[b](b.md)\n")
    for name in ("locked", "unreadable", "half", "ranks"):
        copy_of(small_graph, folder / f"{name}.graph")
    readable = [folder, *folder.rglob("*")]
    secret = [
        folder / "secret.tsv",
        folder / "secret",
        folder / "site" / "b.md",
        folder / "unreadable.graph" / "current",
        *(folder / "half.graph").rglob("out.links.npy"),
        folder / "ranks.graph" / "ranks",
    ]
    for entry in readable:
        entry.chmod(0o555 if entry.is_dir() else 0o444)
    for entry in secret:
        entry.chmod(0)
    (folder / "mine").chmod(0o755)
    yield folder
    for entry in readable:  # parents first
        entry.chmod(0o755)


@pytest.fixture(scope="module")
def obedient_forks(locked_desk: Path) -> Iterator[Forks]:
    """Forks that modes apply to, even if the tests are run by root."""
    code = f"import whatsrelated.cli; open({str(locked_desk / 'secret.tsv')!r})"
    tried = subprocess.run(
        [sys.executable, "-P", "-c", code], preexec_fn=obey_modes, capture_output=True, text=True
    )
    if "PermissionError" not in tried.stderr:
        pytest.skip(f"Modes do not apply to this user: {tried.stderr[-200:] or 'it read a secret'}")
    running = Forks(preexec_fn=obey_modes)
    yield running
    running.close()


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_forbidden_action_is_one_sentence(
    name: str, locked_desk: Path, obedient_forks: Forks
) -> None:
    done = obedient_forks.one(*FORBIDDEN[name], cwd=locked_desk)
    assert done.is_tidy, done
    assert done.is_refusal or (name in ALLOWED and done.status == 0), done


STREAMS = {
    "stdout full": "> /dev/full",
    "stdout closed": ">&-",
    "stdin closed": "<&-",
    "stderr closed": "2>&-",
    "all closed": "<&- >&- 2>&-",
}
OUTPUTS = {
    "to": f"to {QUERY}",
    "json": f"to {QUERY} --json",
    "csv": f"to {QUERY} --csv",
    "export": "export -o - --format jsonl",
    "help": "--help",
    "check": "check",
}


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("streams", ["stdout full", "stdout closed"])
def test_a_closed_standard_output_gives_no_traceback(
    streams: str, output: str, small_graph: Path
) -> None:
    """A full output is an error with a status; a closed one is like a reader that has left."""
    done = shell(output, streams, small_graph)
    assert done.is_tidy, done
    assert "Exception ignored" not in done.err, done
    assert done.status in (1, 2) if streams == "stdout full" else done.status in (0, 1, 2), done


@pytest.mark.parametrize("streams", ["stdin closed", "stderr closed", "all closed"])
def test_closed_streams_do_no_harm(streams: str, small_graph: Path) -> None:
    done = shell("to", streams, small_graph)
    assert done.is_tidy, done


def shell(output: str, streams: str, graph: Path):  # type: ignore[no-untyped-def]
    command = f"{shlex.join(RELATED)} {OUTPUTS[output]} {STREAMS[streams]}"
    return run(["sh", "-c", command], environment={"RELATED_GRAPH": str(graph)})
