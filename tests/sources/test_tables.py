"""Tables: which columns hold the links, and which rows count."""

from __future__ import annotations

import pytest

from whatsrelated.errors import OptionError, ReadError
from whatsrelated.sources.columns import ColumnsReader
from whatsrelated.sources.tables import TOOLS, columns_by_words

HEADER = ("src", "pos", "dst", "section")


@pytest.mark.parametrize(
    ("header", "places"),
    [
        (("src", "dst"), (0, 1)),
        (("Target URL", "weight", "Source_ID"), (2, 0)),
        (("FromNodeId", "ToNodeId"), (0, 1)),
        (("citing", "cited"), (0, 1)),
        (("oci", "citing", "cited", "creation"), (1, 2)),
        (("id", "depth", "cited_opinion_id", "citing_opinion_id"), (3, 2)),
        (("source", "colour"), None),
        (("Referring page title", "Referring page URL", "Anchor", "Target URL"), (1, 3)),
        (("Page ascore", "Source title", "Source url", "Target url", "Anchor"), (2, 3)),
        (("Typ", "Quelle", "Ziel", "Ankertext", "Statuscode"), (1, 2)),
        (("Tipo", "Fuente", "Destino", "Texto ancla"), (1, 2)),
        (("Linking page", "Last crawled"), None),
        ((), None),
    ],
)
def test_columns_are_known_by_their_names(
    header: tuple[str, ...], places: tuple[int, int] | None
) -> None:
    assert columns_by_words(header) == places


@pytest.mark.parametrize(
    ("columns", "places"), [(None, (0, 2)), ("dst, src", (2, 0)), ("4,1", (3, 0))]
)
def test_requested_columns_take_precedence_over_recognised_ones(
    columns: str | None, places: tuple[int, int]
) -> None:
    assert ColumnsReader(columns=columns).link_columns("x.tsv", HEADER, 4) == places


def test_more_than_two_columns_without_names_are_not_guessed() -> None:
    assert ColumnsReader().link_columns("x.tsv", (), 2) == (0, 1)
    with pytest.raises(ReadError, match=r"x\.tsv has 3 columns; name the two"):
        ColumnsReader().link_columns("x.tsv", (), 3)
    with pytest.raises(OptionError, match="name two columns, such as src,dst or 1,3; got '1'"):
        ColumnsReader(columns="1").link_columns("x.tsv", HEADER, 4)


def test_rows_are_chosen_by_columns_and_their_values() -> None:
    assert ColumnsReader().row_filters("x.tsv", HEADER, 4) == []
    assert ColumnsReader(where="section= é ").row_filters("x.tsv", HEADER, 4) == [(3, "é".encode())]
    both = ColumnsReader(where=("section=a", "pos=1"))  # type: ignore[arg-type]
    assert both.row_filters("x.tsv", HEADER, 4) == [(3, b"a"), (1, b"1")]
    with pytest.raises(ReadError, match="no column 'part'; it has: src, pos, dst, section"):
        ColumnsReader(where="part=1").row_filters("x.tsv", HEADER, 4)
    with pytest.raises(OptionError, match="such as section=body; got 'section'"):
        ColumnsReader(where="section").row_filters("x.tsv", HEADER, 4)


FROG = {
    "English": (("Type", "Source", "Destination", "Link Position"), "Hyperlink", "Content"),
    "French": (("Type", "Source", "Destination", "Position du lien"), "Hyperlien", "Contenu"),
    "German": (("Typ", "Quelle", "Ziel", "Linkposition"), "Hyperlink", "Inhalt"),
    "Italian": (
        ("Tipo", "Origine", "Destinazione", "Posizione del link"),
        "Collegamento ipertestuale",
        "Contenuto",
    ),
    "Spanish": (
        ("Tipo", "Origen", "Destino", "Posición del enlace"),
        "Hipervínculo",
        "Contenido",
    ),
}


@pytest.mark.parametrize("language", FROG)
def test_screaming_frogs_links_are_those_in_the_content(language: str) -> None:
    header, link, content = FROG[language]
    rows = [[b"x", b"a", b"b", b"y"], [link.encode(), b"a", b"b", content.encode()]]
    frog = ColumnsReader()
    assert frog.link_columns("x.csv", header, 4) == (1, 2)
    assert frog.row_filters("x.csv", header, 4, rows) == [(0, link.encode()), (3, content.encode())]
    assert frog.row_filters("x.csv", header[:3], 3, rows) == [(0, link.encode())]
    assert ColumnsReader(where="1=Image").row_filters("x.csv", header, 4, rows) == [(0, b"Image")]


def test_screaming_frogs_first_rows_may_all_be_navigation() -> None:
    header, *_ = FROG["English"]
    rows = [[b"Hyperlink", b"a", b"b", b"Navigation"]]
    assert ColumnsReader().row_filters("x.csv", header, 4, rows) == [
        (0, b"Hyperlink"),
        (3, b"Content"),
    ]


def test_an_own_url_column_is_not_the_source() -> None:
    assert columns_by_words(("URL", "Source", "Target", "Weight")) == (1, 2)


def test_other_tables_with_a_type_are_read_whole() -> None:
    header = ("Type", "Source", "Destination")
    assert ColumnsReader().row_filters("x.csv", header, 3, [[b"friend", b"a", b"b"]]) == []


@pytest.mark.parametrize("tool", TOOLS)
def test_the_columns_of_every_tool_are_known(tool: tuple[str, str, str]) -> None:
    assert columns_by_words(("Title", tool[2], "Anchor", tool[1])) == (3, 1)
