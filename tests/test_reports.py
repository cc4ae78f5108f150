"""The reports in docs/ have the tables that their scripts print."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import xh14
from benchmarks.papers import __main__ as papers
from benchmarks.papers import con04

DOCS = Path(__file__).parent.parent / "docs" / "reports"


def test_the_report_on_mbcc_has_the_tables_that_its_script_prints(
    shared: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["xh14", str(shared / "data" / "toronto")])
    xh14.main()
    printed = capsys.readouterr().out.strip()
    assert (DOCS / "mbcc.md").read_text(encoding="utf-8").strip().endswith(printed)


@pytest.mark.parametrize("name", papers.PAPERS)
def test_the_tables_of_a_paper_that_need_no_data_are_in_the_report(name: str) -> None:
    page = papers.section(papers.REPORT.read_text(encoding="utf-8"), name)[1]
    printed = papers.PAPERS[name].printed(None)
    assert list(papers.rows_of(printed))
    assert papers.differences(printed, page, whole=False) == []


@pytest.mark.parametrize("name", ["hz03", "xh14"])
def test_the_tables_of_a_paper_are_the_whole_of_its_section(name: str, shared: Path) -> None:
    page = papers.section(papers.REPORT.read_text(encoding="utf-8"), name)[1]
    printed = papers.PAPERS[name].printed(shared / "data")
    assert papers.differences(printed, page, whole=True) == []


def test_a_figure_that_was_not_printed_is_found_but_not_a_time() -> None:
    printed = "| page | paper | here | ms |\n|---|---|---|---|\n| a | 1 | 2 | 0.5 |"
    assert papers.differences(printed, printed.replace("0.5", "0.7"), whole=True) == []
    assert papers.differences(printed, printed.replace("| 2 |", "| **2** |"), whole=True) == []
    assert papers.differences(printed, printed.replace("| 2 |", "| 3 |"), whole=True) == [
        "not on the page: a | 1 | 2",
        "only on the page: a | 1 | 3",
    ]
    more = printed + "\n| b | 1 | 1 | 0.1 |"
    assert papers.differences(printed, more, whole=False) == []
    assert papers.differences(printed, more, whole=True) == ["only on the page: b | 1 | 1"]


def test_the_graph_of_fig_1_of_con04_has_the_places_of_the_text() -> None:
    places = con04.figure_1()
    assert places["Project List"] | {"PageRank": 0} == {
        "PageRank": 0,
        "HubRank": 4,
        "HITS": 1,
        "Randomized HITS": 1,
    }
    assert [places["Researcher C"][rank] for rank in ("PageRank", "HubRank", "HITS")] == [11, 8, 2]
    assert [places["Project B"][rank] for rank in ("PageRank", "HubRank")] == [1, 1]
    assert places["Project B"]["percent lower"] == 10
    assert [places["Project C"][rank] for rank in ("PageRank", "HubRank")] == [7, 10]
