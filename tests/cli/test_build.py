"""`related build`: what it reports, and checks before it starts."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

from tests.cli.commands import LINKS, RELATED, related
from tests.waiting import PATIENCE


def test_temporary_space_is_announced_if_memory_may_not_suffice(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text(LINKS)
    with (tmp_path / "large.tsv").open("wb") as file:
        file.write(b"# " + b"x" * (50 << 20) + b"\n")
    words = ["build", "links.tsv", "large.tsv", "--memory", "128M"]
    done = related(*words, cwd=tmp_path)
    assert "Temporary files may take up to 0.2 GB in web.graph, which has " in done.stderr
    assert "Temporary" not in related("build", "links.tsv", cwd=tmp_path).stderr


def test_a_build_computes_and_stores_the_requested_ranks(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text("a\tb\na\tc\nb\tc\nd\ta\n")
    wanted = ("--rank", "hubrank", "--rank", "in-degree", "--rank", "hubrank")
    done = related("build", "links.tsv", *wanted, cwd=tmp_path)
    assert done.stdout == "web.graph: 4 pages, 4 links\n"
    said = done.stderr.splitlines()
    assert said[-2].startswith("hubrank: ")
    assert said[-2].endswith(".")
    assert said[-1] == "in-degree: no rounds were needed."
    kept = sorted(path.name for path in (tmp_path / "web.graph" / "ranks").glob("*.npy"))
    assert [name.split("-")[0] for name in kept] == ["hubrank", "in"]


def test_a_build_rejects_an_unknown_rank_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text("a\tb\n")
    done = related("build", "links.tsv", "--rank", "magic", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("related: No rank 'magic'; choose from pagerank, hubrank, ")
    assert not (tmp_path / "web.graph").exists()


def test_sources_may_be_listed_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text(LINKS)
    (tmp_path / "list").write_text("links.tsv\nabsent.tsv\n")
    done = related("build", "--files-from", "list", cwd=tmp_path)
    assert done.returncode == 0
    assert "listed files that are missing: absent.tsv" in done.stderr
    done = related("build", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "related: build: no source given; name files or folders, or use --files-from.\n"
    )


def test_hosts_and_domains_are_built_from_sources_or_a_graph(tmp_path: Path) -> None:
    links = "http://a.org/1\thttp://b.org/\nhttp://a.org/2\thttp://b.org/x\n"
    (tmp_path / "links.tsv").write_text(links)
    done = related("build", "links.tsv", "--level", "host", "-o", "hosts.graph", cwd=tmp_path)
    assert done.stdout == "hosts.graph: 2 hosts, 1 link\n"
    assert "Read 2 links" in done.stderr
    related("build", "links.tsv", cwd=tmp_path)
    done = related("build", "web.graph", "--level", "domain", "-o", "d.graph", cwd=tmp_path)
    assert done.stdout == "d.graph: 2 domains, 1 link\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("d.graph", "hosts.graph", "links.tsv", "web.graph"),
    ]


def test_a_first_build_that_fails_or_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "bad.tsv").write_text("a\tb\nc\td\nalone\n")
    assert related("build", "bad.tsv", cwd=tmp_path).returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["bad.tsv"]
    build = subprocess.Popen(
        [RELATED, "build", "-"], cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert build.stdin is not None
    build.stdin.write(b"a b\n" * 300_000)
    build.stdin.flush()
    while not (tmp_path / "web.graph").exists():
        assert build.poll() is None
        time.sleep(0.05)
    build.send_signal(signal.SIGTERM)
    build.stdin.close()
    assert build.wait(PATIENCE) == 128 + signal.SIGTERM
    assert [path.name for path in tmp_path.iterdir()] == ["bad.tsv"]
