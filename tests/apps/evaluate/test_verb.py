"""`related evaluate` as people type it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.commands import related

GOLD = """\
https://www.nytimes.com/\thttps://www.washingtonpost.com/
https://www.nytimes.com/\thttps://www.wsj.com/
https://www.bmw.com/\thttps://www.toyota.com/
https://www.debian.org/\thttps://fedoraproject.org/
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("evaluate")
    (made / "gold.tsv").write_text(GOLD)
    lines = [f"hub{h}\tpage{p}" for h in range(30) for p in range(h % 7, h % 7 + 6)]
    (made / "links.tsv").write_text("\n".join(lines) + "\n")
    done = related("build", "links.tsv", "-o", "own.graph", cwd=made)
    assert done.returncode == 0, done.stderr
    return made


def test_methods_are_measured_beside_a_run(folder: Path) -> None:
    (folder / "text.tsv").write_text("https://www.bmw.com/\t1\thttps://www.toyota.com/\n")
    done = related(
        *("evaluate", "sample", "--queries", "gold.tsv", "--by", "cocitation,lli(gap=0.3)"),
        *("--run", "search=text.tsv", "--csv"),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    means = {(row["group"], row["method"]): row for row in rows}
    assert means["all", "search"]["answered"] == "1"
    assert float(means["all", "search"]["capped_recall"]) == pytest.approx(1 / 3)
    assert float(means["all", "search"]["precision"]) == pytest.approx(1 / 30)
    assert float(means["all", "lli(gap=0.3)"]["capped_recall"]) > 0.5
    assert means["not by search", "cocitation"]["queries"] == "2"
    assert "3 of 3 queries; rejected none." in done.stderr


def test_people_read_a_table_and_which_differences_are_significant(folder: Path) -> None:
    done = related(
        "evaluate", "sample", "--queries", "gold.tsv", "--by", "walk,cpa", "--tables", cwd=folder
    )
    titles = re.findall(r"^(Table \d)\.", done.stdout, re.MULTILINE)
    assert list(dict.fromkeys(titles)) == [f"Table {number}" for number in (3, 4, 5, 6, 7)]
    assert done.stdout.startswith("3 queries: all\nmethod\tanswered\tavg. precision\t")


def test_json_has_every_query_and_how_lli_computed_its_numbers(folder: Path) -> None:
    words = ("evaluate", "sample", "--queries", "gold.tsv", "--by", "lli", "--json")
    told = json.loads(related(*words, "--look-at", "https://www.bmw.com/", cwd=folder).stdout)
    assert [query["query"] for query in told["queries"]] == [
        "https://www.bmw.com/",
        "https://www.debian.org/",
        "https://www.nytimes.com/",
    ]
    half = told["latent"][0]
    assert (half["query"], half["by"]) == ("https://www.bmw.com/", "parents")
    similar = [point["similarity"] for point in half["points"]]
    assert similar == sorted(similar, reverse=True)
    assert any(point["related"] for point in half["points"])
    assert all(0 <= point["bcp"] <= 1 and 0 <= point["dd"] <= 1 for point in half["points"])


def test_links_are_held_out_by_a_seed(folder: Path) -> None:
    words = ("evaluate", "own.graph", "--hold-out", "0.2", "--by", "cocitation,peers", "--csv")
    first, again, other = (
        related(*words, "--draw", seed, cwd=folder).stdout for seed in ("0", "0", "1")
    )

    def means(text: str) -> list[list[str]]:
        return [row[:-1] for row in csv.reader(io.StringIO(text))]

    assert means(first) == means(again) != means(other)


def test_topics_and_a_sample(folder: Path) -> None:
    (folder / "topics.tsv").write_text("".join(f"page{p}\t{p % 2}\n" for p in range(12)))
    words = ("evaluate", "-g", "own.graph", "--topics", "topics.tsv", "--sample", "5", "--csv")
    done = related(*words, "--by", "cocitation", cwd=folder)
    assert "5 of 12 queries" in done.stderr
    assert done.stdout.splitlines()[1].startswith("all,5,cocitation,5,")


def test_every_query_is_written_for_further_analysis(folder: Path) -> None:
    words = ("evaluate", "sample", "--queries", "gold.tsv", "--by", "walk,cpa")
    related(*words, "--per-query", "out.csv", cwd=folder)
    rows = list(csv.DictReader(io.StringIO((folder / "out.csv").read_text())))
    assert len(rows) == 6
    assert {row["method"] for row in rows} == {"walk", "cpa"}


def test_answers_that_were_saved_are_a_run_later(folder: Path) -> None:
    words = ("evaluate", "sample", "--queries", "gold.tsv", "--by", "cpa(alpha=2)", "--csv")
    related(*words, "--save-runs", "before", cwd=folder)
    (file,) = (folder / "before").iterdir()
    assert file.name == "cpa_alpha=2.tsv"
    done = related(*words, "--run", f"before={file}", cwd=folder)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert "irregular" not in done.stderr
    assert rows[1]["method"] == "before"
    assert [rows[0][name] for name in ("capped_recall", "ndcg")] == [
        rows[1][name] for name in ("capped_recall", "ndcg")
    ]


def test_a_checkpoint_of_another_graph_is_refused(folder: Path) -> None:
    words = ("--by", "peers", "--checkpoint", "kept.jsonl")
    done = related("evaluate", "own.graph", "--hold-out", "0.2", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    done = related("evaluate", "sample", "--queries", "gold.tsv", *words, cwd=folder)
    assert done.returncode == 2
    assert "the checkpoint kept.jsonl is for another graph" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "use exactly one of --queries, --gold-links, --topics and --hold-out"),
        (("--queries", "gold.tsv", "--hold-out", "0.1"), "use exactly one of"),
        (("--queries", "nowhere.tsv"), "nowhere.tsv cannot be opened: No such file"),
        (("--hold-out", "nan"), "hold_out must be above 0 and below 1, got nan"),
        (("--queries", "gold.tsv", "--patience", "nan"), "patience must be above 0"),
        (("--queries", "gold.tsv", "--by", "nothing"), "No method 'nothing'"),
        (("--queries", "gold.tsv", "--by", ""), "name at least one method"),
        (("--queries", "gold.tsv", "--where", "a=b"), "--where is an option of --gold-links"),
        (
            ("--queries", "gold.tsv", "--by", "cpa", "--group", "lli"),
            "'lli' is not among the methods measured: cpa",
        ),
        (("--queries", "gold.tsv", "--least", "9"), "No query has 9 or more related pages"),
        (("--queries", "gold.tsv", "-g", "own.graph"), "name only one graph; got"),
        (("--queries", "gold.tsv", "--by", "cpa", "--run", "cpa=run.tsv"), "cpa appears twice"),
        (("--queries", "gold.tsv", "--per-query", "no/x"), "no/x cannot be written"),
        (("--queries", "gold.tsv", "--report", "no/x"), "no/x cannot be written"),
        (("--queries", "gold.tsv", "--report", ".", "--by", "cpa"), ". is not a regular file"),
    ],
)
def test_wrong_use_is_reported_in_one_line(words: tuple[str, ...], said: str, folder: Path) -> None:
    (folder / "run.tsv").write_text("https://www.bmw.com/\t1\thttps://www.toyota.com/\n")
    done = related("evaluate", "sample", *words, cwd=folder)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_page_to_compare_is_reported_first(folder: Path) -> None:
    words = ("evaluate", "sample", "--queries", "gold.tsv", "--look-at", "https://no.where/")
    done = related(*words, cwd=folder)
    assert done.returncode == 1
    assert done.stderr.startswith("related: No page https://no.where/")


def test_a_method_that_cannot_answer_is_reported_and_the_others_are_measured(folder: Path) -> None:
    words = ("evaluate", "sample", "--queries", "gold.tsv", "--csv")
    done = related(*words, "--by", "hubfinder(like=0.5),cpa", cwd=folder)
    assert done.returncode == 0
    assert "hubfinder(like=0.5) failed on 3 of 3 queries; on https://www.bmw.com/:" in done.stderr


def test_odd_gold_and_runs_are_counted_and_shown(folder: Path) -> None:
    (folder / "odd.tsv").write_text(
        f"{GOLD}https://www.bmw.com/\thttps://no.where/\n{GOLD.splitlines()[0]}\n"
    )
    (folder / "odd.run").write_text(
        "https://www.bmw.com/\t1\thttps://www.toyota.com/\n"
        "https://www.bmw.com/\t4\thttps://www.toyota.com/\n"
    )
    words = ("evaluate", "sample", "--queries", "odd.tsv", "--run", "odd.run", "--by", "cpa")
    done = related(*words, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "1 for a page that is not in the graph, 1 repeated" in done.stderr
    assert "for a page that is not in the graph: https://no.where/" in done.stderr
    assert "odd: 2 irregular answers: 1 after a gap, 1 twice for one query." in done.stderr
