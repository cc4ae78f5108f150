"""No verb writes through a link that somebody has planted beside its output."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.study import small_study
from tests.hostile.graphs import copy_of
from tests.hostile.processes import Forks

PAIR = ("https://www.h3.org/3", "https://www.h4.org/4")
VERBS = {
    "gaps": ("gaps", "web.graph", "--report", "o.html"),
    "gaps patch": ("gaps", "site", "--patch", "o.patch", "--sarif", "o.sarif"),
    "gaps apply": ("gaps", "site", "--apply", "--least-score", "0", "--see-also"),
    "gaps undo": ("gaps", "site", "--undo"),
    "gaps dismiss": ("gaps", "web.graph", "--ignore", "o.tsv", "--dismiss", *PAIR),
    "publish": ("publish", "web.graph", "-o", "o"),
    "diff": ("diff", "web.graph", "web.graph", "--report", "o.html"),
    "evaluate": (
        *("evaluate", "web.graph", "--hold-out", "0.1", "--by", "cocitation"),
        *("--per-query", "o.csv", "--report", "o.html", "--save-runs", "o"),
    ),
    **{
        f"all {suffix}": ("all", "web.graph", "--by", "cocitation", "-o", f"o{suffix}")
        for suffix in (".jsonl", ".csv", ".csv.gz", ".sqlite", ".parquet")
    },
    **{
        f"export {suffix}": ("export", "-g", "web.graph", "-o", f"o{suffix}")
        for suffix in (".jsonl", ".tsv", ".graphml", ".parquet", ".npy")
    },
    "rank": ("rank", "-g", "web.graph", "--parquet", "o.parquet"),
    "similarity": ("similarity", *PAIR, "-g", "web.graph", "--picture", "o.png"),
    "obsidian": ("obsidian", "install", "vault"),
    "site": ("site", "site"),
    "site data": ("site", "site", "--data", "o.json"),
    "token": ("token", "ann", "--tokens", "o.toml"),
    "update": ("update", "web.graph", "links.tsv"),
    "build": ("build", "links.tsv", "-o", "web.graph"),
}
OUTPUTS = ("o", "o.html", "o.csv", "o.csv.gz", "o.jsonl", "o.sqlite", "o.parquet", "o.tsv")
OUTPUTS += ("o.patch", "o.sarif", "site/.related-links.json", "o/index.html", "o/page")
OUTPUTS += ("o.graphml", "o.npy", "o.png", "o.json", "o.toml", "site/a.html")
OUTPUTS += ("vault/.obsidian/plugins/whats-related/main.js",)
OUTPUTS += ("web.graph/current", "web.graph/current.verified", "web.graph/ranks/x.json")
ASIDE = ("{}.new", "{}.tmp", ".{}.tmp", "{}.parts", "{}~", "{}.manifest.json")


@pytest.fixture
def desk(small_graph: Path, tmp_path: Path) -> Path:
    """A folder with a graph, a site, a vault and a list of pages."""
    copy_of(small_graph, tmp_path / "web.graph")
    (tmp_path / "vault" / ".obsidian" / "plugins" / "whats-related").mkdir(parents=True)
    (tmp_path / "site").mkdir()
    for page, links in {"a": "bc", "b": "ca", "c": "ab", "d": "abc"}.items():
        anchors = "".join(f'<a href="{link}.html">{link}</a>' for link in links)
        (tmp_path / "site" / f"{page}.html").write_text(f"<title>{page}</title><p>{anchors}</p>")
    (tmp_path / "links.tsv").write_text("a\tb\nb\ta\n")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis").write_text("three years of work")
    return tmp_path


def check(desk: Path, verb: str, forks: Forks) -> None:
    """Run a verb: `mine` stays the same, and it ends with an answer or a sentence."""
    done = forks.one(*VERBS[verb], cwd=desk)
    assert [file.name for file in (desk / "mine").iterdir()] == ["thesis"], done
    assert (desk / "mine" / "thesis").read_text() == "three years of work", done
    assert done.status == 0 or done.is_refusal, done


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("target", ["mine/thesis", "mine"])
def test_nothing_is_written_through_a_link_beside_an_output(
    verb: str, target: str, desk: Path, forks: Forks
) -> None:
    for output in map(Path, OUTPUTS):
        for name in ASIDE:
            link = desk / output.with_name(name.format(output.name))
            if link.parent.is_dir() and not link.exists():
                link.symlink_to(desk / target)
    check(desk, verb, forks)


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in ("obsidian", "site")])
def test_nothing_is_written_through_an_output_that_is_a_link(
    verb: str, desk: Path, forks: Forks
) -> None:
    for output in OUTPUTS:
        if not (desk / output).exists() and (desk / output).parent.is_dir():
            (desk / output).symlink_to(desk / "mine" / "thesis")
    check(desk, verb, forks)


@pytest.mark.parametrize("verb", ["build", "update"])
def test_the_lock_of_a_copied_graph_gives_no_access_to_my_files(
    verb: str, desk: Path, forks: Forks
) -> None:
    lock = desk / "web.graph" / "lock"
    lock.unlink(missing_ok=True)
    lock.symlink_to(desk / "mine" / "thesis")
    check(desk, verb, forks)


@pytest.mark.parametrize("name", ["o.jsonl.parts", "o.csv.parts", "o.sqlite.parts"])
def test_a_linked_folder_of_parts_is_refused(name: str, desk: Path, forks: Forks) -> None:
    (desk / name).symlink_to(desk / "mine")
    output = name.removesuffix(".parts")
    done = forks.one("all", "web.graph", "--by", "cocitation", "-o", output, cwd=desk)
    assert done.is_refusal, done
    assert f"{name} is a link" in done.err


def test_a_study_is_not_written_through_a_link(desk: Path) -> None:
    (desk / "o.new").symlink_to(desk / "mine" / "thesis")
    small_study(desk / "o", "ann")
    assert (desk / "mine" / "thesis").read_text() == "three years of work"
