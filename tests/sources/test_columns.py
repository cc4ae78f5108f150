"""Two columns, in the variants that people write."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import links_of, pages_of, read, write
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.sources import columns
from whatsrelated.stream import NamedLinks, NumberedLinks

LINKS = [("http://a.org/", "http://b.org/x"), ("http://a.org/", "é"), ("é", "http://a.org/")]


@pytest.mark.parametrize("mark", ["\t", ",", ";", " ", "   ", " \t "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_columns_may_be_divided_by_tab_comma_semicolon_or_blanks(
    mark: str, end: str, tmp_path: Path
) -> None:
    text = "".join(f"{a}{mark}{b}{end}" for a, b in LINKS)
    assert links_of(read(write(tmp_path / "links", text))) == LINKS
    assert links_of(read(write(tmp_path / "links", text.rstrip()))) == LINKS


@pytest.mark.parametrize(
    "header",
    ["src\tdst", "Source\tTarget", "FromNodeId\tToNodeId", "start\tend", "from_url\tto_url"],
)
def test_a_header_is_not_a_link(header: str, tmp_path: Path) -> None:
    path = write(tmp_path / "links.tsv", f"{header}\na\tb\n")
    assert links_of(read(path)) == [("a", "b")]
    assert len(links_of(read(path, options={"header": "no"}))) == 2


def test_any_words_above_numbers_are_a_header(tmp_path: Path) -> None:
    assert links_of(read(write(tmp_path / "x", "hund katze\n1 2\n"))) == [("1", "2")]


def test_a_snap_file_is_read_as_it_is(tmp_path: Path) -> None:
    text = "# Directed graph\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t11\n11\t0\n"
    (batch,) = read(write(tmp_path / "web.txt", text))
    assert isinstance(batch, NumberedLinks)
    assert batch.sources.tolist() == [0, 11]
    assert batch.targets.tolist() == [11, 0]


def test_percent_starts_a_comment_and_an_escape_a_name(tmp_path: Path) -> None:
    path = write(tmp_path / "x", "% asym\n%%more\n%C3%81ed b\n")
    assert links_of(read(path)) == [("%C3%81ed", "b")]


def test_numbers_become_names_at_the_first_name(tmp_path: Path) -> None:
    path = write(tmp_path / "x", "1 2\n2 03\nb 1\n")
    items = list(read(path))
    assert [type(item) for item in items] == [NumberedLinks, NamedLinks]
    assert links_of(items) == [("1", "2"), ("2", "03"), ("b", "1")]


def test_the_header_selects_from_more_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "x.tsv", "src\tpos\tdst\tsection\na\t0\tb\tbody\na\t1\tc\tsee\n")
    assert links_of(read(path)) == [("a", "b"), ("a", "c")]
    assert links_of(read(path, options={"where": "section=body"})) == [("a", "b")]
    assert links_of(read(path, options={"columns": "dst,src"})) == [("b", "a"), ("c", "a")]
    assert links_of(read(path, options={"columns": "4,1"})) == [("body", "a"), ("see", "a")]


def test_more_columns_without_a_header_are_not_guessed(tmp_path: Path) -> None:
    path = write(tmp_path / "x", "1 2 0.5\n2 3 0.5\n")
    with pytest.raises(
        ReadError, match="has 3 columns; name the two that hold the links: --columns"
    ):
        links_of(read(path))
    assert links_of(read(path, options={"columns": "1,2"})) == [("1", "2"), ("2", "3")]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"columns": "src,nowhere"}, ReadError, "no column 'nowhere'; it has: src, pos, dst"),
        ({"columns": "1,9"}, ReadError, "no column '9'"),
        ({"columns": "src"}, OptionError, "name two columns"),
        ({"where": "section"}, OptionError, "give a column and its value"),
        ({"where": "colour=red"}, ReadError, "no column 'colour'"),
        ({"delimiter": "pipe"}, OptionError, "delimiter must be one of auto, tab"),
        ({"order_file": "x"}, OptionError, "no option 'order_file'; it has: columns"),
    ],
)
def test_wrong_options_are_errors_that_list_the_existing_ones(
    options: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "x.tsv", "src\tpos\tdst\na\t0\tb\n")
    with pytest.raises(error, match=message):
        links_of(read(path, options=options))


def test_quotes_in_csv_hold_commas_and_quotes(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", 'source,target\n"Paris, Texas","The ""Big"" One"\na,b\n')
    assert links_of(read(path)) == [("Paris, Texas", 'The "Big" One'), ("a", "b")]


def test_bad_lines_are_counted_by_reason_and_shown_with_their_place(tmp_path: Path) -> None:
    text = b"a\tb\nalone\na\tb\tc\n\tb\na\0\tb\na\t\xff\nx" + b"x" * (2 << 20) + b"\tb\na\x07\tb\n"
    path = write(tmp_path / "bad.tsv", text + b"b\tc\nalone too\n")
    source = read(path, format="columns")
    assert links_of(source) == [("a", "b"), ("b", "c")]
    assert source.refused.counts == {
        "one column": 2,
        "mixed column counts": 1,
        "empty name": 1,
        "NUL byte": 1,
        "invalid UTF-8": 1,
        "line too long": 1,
        "control character": 1,
    }
    assert source.refused.examples["one column"] == [f"{path}:2: alone", f"{path}:10: alone too"]


def test_a_strict_reading_ends_with_the_first_bad_line(tmp_path: Path) -> None:
    path = write(tmp_path / "bad.tsv", "a\tb\na\tb\tc\nalone\n")
    with pytest.raises(ReadError, match=r"bad\.tsv:2: a\tb\tc \(mixed column counts\)"):
        links_of(read(path, strict=True))


def test_a_file_without_a_good_line_has_no_links(tmp_path: Path) -> None:
    path = write(tmp_path / "bad.tsv", "a\t\n\tb\n")
    with pytest.raises(ReadError, match="has no links: all of its 2 lines were rejected"):
        links_of(read(path))
    with pytest.raises(ReadError, match="only comments"):
        links_of(read(write(tmp_path / "comments.txt", "# nothing\n"), format="columns"))


def test_less_memory_makes_more_batches_of_the_same_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(f"page{i % 97}\tpage{i * 31 % 1009}\n" for i in range(20_000))
    path = write(tmp_path / "x.tsv", text)
    whole, parts = list(read(path)), list(read(path, memory=1 << 17))
    assert len(whole) == 1
    assert len(parts) > 2
    assert links_of(whole) == links_of(parts)
    monkeypatch.setattr(columns, "NUMBERS_AT_ONCE", 1 << 12)
    numbers = write(tmp_path / "n.tsv", text.replace("page", ""))
    assert len(list(read(numbers))) > 2
    assert links_of(read(numbers)) == [
        (str(i % 97), str(i * 31 % 1009)) for i in range(20_000) if i % 97 != i * 31 % 1009
    ]


plain_names = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=8
).filter(lambda name: name[0] not in "#%\ufeff" and name.strip() == name)
some_links = st.lists(st.tuples(plain_names, plain_names), min_size=1, max_size=20)


@given(some_links)
def test_what_csv_writes_is_read_back(links: list[tuple[str, str]]) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([("source", "target"), *links])
    assert _read_back(out.getvalue()) == links


@given(some_links)
def test_output_with_tabs_is_read_back(links: list[tuple[str, str]]) -> None:
    assert _read_back("src\tdst\n" + "".join(f"{a}\t{b}\n" for a, b in links)) == links


def _read_back(text: str) -> list[tuple[str, str]]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        source = read(write(Path(folder) / "links.csv", text), format="columns")
        items = list(source)
    assert not source.refused.total()
    named = [item for item in items if isinstance(item, NamedLinks)]
    numbered = [item for item in items if isinstance(item, NumberedLinks)]
    pairs = [
        (str(a), str(b))
        for item in numbered
        for a, b in zip(item.sources.tolist(), item.targets.tolist(), strict=True)
    ]
    assert pages_of(items) == {name for link in pairs + links_of(named) for name in link}
    return pairs + links_of(named)


FROG = (
    '"Type","Source","Destination","Anchor","Link Position"\n'
    '"Hyperlink","https://a/","https://b/","some\ntext","Content"\n'
    '"Hyperlink","https://a/","https://c/","menu","Navigation"\n'
    '"Image","https://a/","https://d/","","Content"\n'
    '"Hyperlink","https://b/","https://a/","say ""so""","Content"\n'
)


def test_screaming_frogs_export_has_fields_over_several_lines(tmp_path: Path) -> None:
    source = read(write(tmp_path / "all_inlinks.csv", FROG))
    assert links_of(source) == [("https://a/", "https://b/"), ("https://b/", "https://a/")]
    assert source.refused.counts == {}


def test_several_conditions_must_all_hold(tmp_path: Path) -> None:
    text = "src\tdst\tsection\tkind\na\tb\tbody\tx\na\tc\tbody\ty\na\td\thead\tx\n"
    options = {"where": ("section=body", "kind=x")}
    assert links_of(read(write(tmp_path / "x.tsv", text), options=options)) == [("a", "b")]


def test_citations_are_read_from_the_citing_to_the_cited(tmp_path: Path) -> None:
    court = "id,depth,cited_opinion_id,citing_opinion_id\n1,2,10,20\n2,1,11,20\n"
    assert links_of(read(write(tmp_path / "x.csv", court))) == [("20", "10"), ("20", "11")]


@pytest.mark.parametrize(
    "text",
    [
        "Linking page,Last crawled\nhttps://a.org/,2026-11-02\nhttps://b.org/,2026-10-30\n",
        "Page,Dernière exploration\nhttps://a.org/,3 août 2026\n",
        "https://a.org/\t5\nhttps://b.org/\t7\n",
        "Texte de lien,Pages\ntea,5\nmilk,2\n",
    ],
)
def test_pages_with_dates_or_numbers_are_not_links(text: str, tmp_path: Path) -> None:
    path = write(tmp_path / "Latest links.csv", text)
    with pytest.raises(ReadError, match="lists pages with dates or numbers") as error:
        links_of(read(path))
    assert "--columns 1,2" in str(error.value)
    assert links_of(read(path, options={"columns": "1,2"}))


def test_rows_that_a_condition_excludes_are_counted(tmp_path: Path) -> None:
    text = "src\tdst\tpart\n1\t2\tbody\n1\t3\thead\na\tb\thead\na\tc\tbody\n"
    source = read(write(tmp_path / "x.tsv", text), options={"where": "part=body"})
    assert links_of(source) == [("1", "2"), ("a", "c")]
    assert source.counts == {"columns": {"rows without part=body left out": 2}}


def test_ahrefs_quotes_fields_between_tabs(tmp_path: Path) -> None:
    text = '"Referring page URL"\t"Anchor"\t"Target URL"\n"https://a/"\t"x ""y"""\t"https://b/"\n'
    path = write(tmp_path / "x.csv", text.encode("utf-16"))
    assert links_of(read(path)) == [("https://a/", "https://b/")]


def test_a_title_above_the_header_is_not_a_link(tmp_path: Path) -> None:
    text = '"All Inlinks"\n"Source","Destination","Anchor"\n"https://a/","https://b/","x"\n'
    source = read(write(tmp_path / "x.csv", text))
    assert links_of(source) == [("https://a/", "https://b/")]
    assert source.refused.total() == 0


def test_a_header_above_addresses_is_not_a_link(tmp_path: Path) -> None:
    text = "Verweisende Seite,Zielseite\nhttps://a/,https://b/\nhttps://c/,https://b/\n"
    source = read(write(tmp_path / "links.csv", text))
    assert links_of(source) == [("https://a/", "https://b/"), ("https://c/", "https://b/")]


def test_a_link_between_names_above_addresses_is_kept(tmp_path: Path) -> None:
    text = "tea\tmilk\ntea\thttps://a/\nmilk\thttps://b/\n"
    assert len(links_of(read(write(tmp_path / "links.tsv", text)))) == 3


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_header_may_begin_with_a_number_sign(quote: str, tmp_path: Path) -> None:
    rows = ["#,Referring Page URL,Link URL", "1,http://a/,http://me/", "2,http://b/,http://me/"]
    text = "\n".join(quote + row.replace(",", f"{quote}\t{quote}") + quote for row in rows)
    source = read(write(tmp_path / "ahrefs.csv", text.encode("utf-16")))
    assert links_of(source) == [("http://a/", "http://me/"), ("http://b/", "http://me/")]


def test_text_over_several_lines_does_not_hide_the_columns(tmp_path: Path) -> None:
    text = '"Title","Referring page URL","Language","Target URL","Left context","Anchor","UGC"\n'
    text += "".join(
        f'"A ""good"" one","https://{name}/","en","https://me/","has one\nof the","me",""\n'
        for name in "abc"
    )
    source = read(write(tmp_path / "ahrefs.csv", text))
    assert links_of(source) == [(f"https://{name}/", "https://me/") for name in "abc"]
    assert source.refused.total() == 0


def test_a_list_that_only_has_bad_lines_says_why(tmp_path: Path) -> None:
    path = write(tmp_path / "latin.csv", "source,target\na,caf\u00e9\n".encode("latin-1"))
    with pytest.raises(ReadError, match=r"its 1 lines were rejected \(1 invalid UTF"):
        links_of(read(path))


def test_a_list_of_which_nothing_is_left_says_what_was_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "x.tsv", "src\tdst\tpart\na\tb\thead\n")
    with pytest.raises(
        ReadError,
        match=r"no links: rows without part=body left out: 1; choose others with --where\.",
    ):
        links_of(read(path, options={"where": "part=body"}))


def test_unknown_columns_are_listed(tmp_path: Path) -> None:
    text = "Address,Content Type,Title\nhttps://a/,html,Tea\nhttps://b/,html,Milk\n"
    with pytest.raises(ReadError, match=r"3 columns \(Address, Content Type, Title\); name"):
        links_of(read(write(tmp_path / "internal_all.csv", text)))


def test_the_output_of_related_all_is_a_list_of_links(tmp_path: Path) -> None:
    text = "url,position,related_url,score,answered_for\nhttps://a/,1,https://b/,0.5,\n"
    assert links_of(read(write(tmp_path / "x.csv", text))) == [("https://a/", "https://b/")]
