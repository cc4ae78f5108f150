"""How alike pages are: the score that the list of one gives the other, for two or for many."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.graphs import graph_of
from tests.methods.test_pagesim import FIGURE
from tests.reference import llk06
from whatsrelated import sample
from whatsrelated.api import Graph
from whatsrelated.cli import similarity as verb
from whatsrelated.cli.heat import heat_map
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.query.similarity import measures

PAPERS = ["https://www.nytimes.com/", "https://www.wsj.com/", "https://www.debian.org/"]


@pytest.fixture(scope="module")
def web() -> Graph:
    return Graph.from_pages(sample.pages())


def test_pagesim_of_the_figure_of_llk06_is_the_printed_matrix() -> None:
    alike = graph_of(*FIGURE).similarity(list("123456"), by="pagesim", radius="none")
    assert alike.scores.round(2).tolist() == llk06.PAGESIM


def test_simrank_of_the_figure_of_llk06_is_the_printed_matrix() -> None:
    alike = graph_of(*FIGURE).similarity(list("123456"), by="simrank", decay=1)
    for row, one in enumerate("123456"):
        for column, other in enumerate("123456"):
            printed = llk06.SIMRANK.get("".join(sorted(one + other)), float(one == other))
            assert alike.scores[row, column] == printed


@pytest.mark.parametrize("by", measures())
def test_a_score_is_that_of_the_whole_list(web: Graph, by: str) -> None:
    found = web.related(PAPERS[0], by=by, limit=10_000, chop=False)
    scores = {result.url: result.score for result in found}
    assert PAPERS[1] in scores
    for other in PAPERS[1:]:
        # PageSim of two pages leaves nothing out.
        lost = found.details.get("lost", 0)
        score = web.similarity(PAPERS[0], other, by=by)
        assert scores.get(other, 0) <= score + 1e-12
        assert score == pytest.approx(scores.get(other, 0), abs=lost + 1e-12)
    assert web.similarity(PAPERS, by=by).scores[0, 1:].tolist() == [
        web.similarity(PAPERS[0], other, by=by) for other in PAPERS[1:]
    ]


def test_a_page_has_a_number_with_itself_where_the_method_has_one(web: Graph) -> None:
    assert web.similarity(PAPERS[0], PAPERS[0], by="simrank") == 1
    assert web.similarity(PAPERS[0], PAPERS[0], by="pagesim") > 0
    assert math.isnan(web.similarity(PAPERS[0], PAPERS[0], by="cocitation"))


def test_a_page_given_twice_has_its_row_twice(web: Graph) -> None:
    alike = web.similarity([PAPERS[0], PAPERS[1], "www.nytimes.com"], by="simrank")
    assert alike.scores[0].tolist() == alike.scores[2].tolist()
    assert alike.scores[0, 2] == 1
    assert alike.notes == [
        "www.nytimes.com is here as https://www.nytimes.com/.",
        "https://www.nytimes.com/ was asked for 2 times.",
    ]


def test_pages_without_parents_are_like_none() -> None:
    graph = graph_of("a -> b c", "d -> b c")
    assert graph.similarity("a", "d", by="simrank") == 0
    assert graph.similarity("a", "d", by="cocitation") == 0
    assert graph.similarity("b", "c", by="cocitation") == 2


def test_what_cannot_be_compared_is_refused(web: Graph) -> None:
    with pytest.raises(OptionError, match=r"companion does not compare two pages; these do: coci"):
        web.similarity(PAPERS, by="companion")
    with pytest.raises(OptionError, match="two pages are needed"):
        web.similarity([PAPERS[0]])
    with pytest.raises(OptionError, match="two pages are needed"):
        web.similarity(PAPERS[0])  # type: ignore[call-overload]
    with pytest.raises(PageNotFound, match="No page"):
        web.similarity(PAPERS[0], "https://nowhere.example/x")
    with pytest.raises(OptionError, match="pagesim has no option 'limit'"):
        web.similarity(PAPERS, limit=3)
    with pytest.raises(OptionError, match="at most 5,000 pages"):
        web.similarity(5001 * PAPERS[:1])


def command(*words: str) -> str:
    done = CliRunner().invoke(verb.command, ["--graph", "sample", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_command_prints_a_table_a_heat_map_csv_or_json(web: Graph) -> None:
    alike = web.similarity(PAPERS, by="cocitation")
    lines = command(*PAPERS, "--by", "cocitation").splitlines()
    assert lines[0].split("\t") == ["1", "–", f"{alike.scores[0, 1]:g}", "0", PAPERS[0]]
    heat = command(*PAPERS, "--by", "cocitation", "--heat").splitlines()
    assert heat[0] == f"   1 ··██   {PAPERS[0]}"
    rows = list(csv.reader(io.StringIO(command(*PAPERS, "--by", "cocitation", "--csv"))))
    assert rows[0] == ["url", *PAPERS]
    assert rows[1] == [PAPERS[0], "", str(alike.scores[0, 1]), "0.0"]
    told = json.loads(command(*PAPERS, "--by", "cocitation", "--json"))
    assert {**told, "took_ms": 0} == {**alike.as_dict(), "took_ms": 0}
    assert told["scores"][0][0] is None


def test_the_pages_can_come_from_the_standard_input() -> None:
    arguments = ["--graph", "sample", "-", "--by", "cocitation", "--csv"]
    done = CliRunner().invoke(verb.command, arguments, input="\n".join(PAPERS))
    assert done.stdout == command(*PAPERS, "--by", "cocitation", "--csv")


def test_a_picture_is_a_png_with_a_square_for_each_pair(tmp_path: Path) -> None:
    image = pytest.importorskip("matplotlib.image")
    path = tmp_path / "alike.png"
    command(*PAPERS, "--by", "cocitation", "--picture", str(path))
    assert path.read_bytes().startswith(b"\x89PNG")
    # The most alike are yellow (much red and green, no blue), the least purple.
    red, green, blue = image.imread(path)[:, :, :3].transpose(2, 0, 1)
    assert ((red > 0.95) & (green > 0.85) & (blue < 0.2)).sum() > 1000
    assert ((red < 0.3) & (green < 0.05) & (blue > 0.3)).sum() > 1000


def test_a_picture_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    words = ["--graph", "sample", *PAPERS, "--picture", str(tmp_path / "alike.xyz")]
    done = CliRunner().invoke(verb.command, words)
    assert isinstance(done.exception, OptionError)
    assert "alike.xyz cannot be written" in str(done.exception)


def test_the_darkest_is_the_most_alike() -> None:
    graph = graph_of("p -> a b c", "q -> a b", "r -> a b")
    alike = graph.similarity(["a", "b", "c"], by="cocitation")
    assert alike.scores[0, 1:].tolist() == [3, 1]
    assert heat_map(alike) == ["··██░░", "██··░░", "░░░░··"]
