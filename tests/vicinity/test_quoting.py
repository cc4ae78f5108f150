"""Pages in sentences: titles in quotation marks, and addresses that are cut if they are long."""

from __future__ import annotations

from tests.graphs import graph_of
from whatsrelated.vicinity.quoting import MAX_QUOTED, Quotes, quote


def test_a_page_is_named_by_its_title_else_by_its_url_without_the_scheme() -> None:
    assert quote("https://a.org/", "Home") == "“Home”"
    assert quote("https://a.org/x", None) == "“a.org/x”"
    assert quote("https://a.org/", None) == "“a.org”"
    assert quote("a note", "") == "“a note”"
    assert quote("a", " The “best”\n `tea` ") == "“The ‘best’ tea”"


def test_a_long_title_is_cut_at_a_word_and_a_long_path_in_the_middle() -> None:
    assert len(quote("a", "x" * 500)) == MAX_QUOTED + 2
    assert quote("a", "x" * 500).endswith("x…”")
    assert quote("a", "word, " * 20) == f"“{'word, ' * 8}word…”"
    host = "a-very-long-name-of-a-host.that-has-many-letters.example.org"
    assert quote(f"https://{host}/x/y", None) == f"“{host}/…”"
    path = "/".join(["folder"] * 20)
    cut = quote(f"https://a.org/{path}/tea.html", None)
    assert cut == f"“a.org/folder/folder/…{'/folder' * 3}/tea.html”"
    words = quote(f"https://a.org/{'x' * 90}-teas/and-cups-and-saucers-{'y' * 20}", None)
    assert words.endswith("…-and-saucers-yyyyyyyyyyyyyyyyyyyy”")
    long = quote(f"https://a.org/{'x' * 90}/tea.html", None)
    assert long.startswith("“a.org/xxx")
    assert long.endswith("xxx/tea.html”")
    assert len(long) == MAX_QUOTED + 2


def test_each_page_is_read_once() -> None:
    store = graph_of("https://a.org/teaCup.html -> b").store
    quotes, page = Quotes(store), store.page("https://a.org/teaCup.html")
    assert quotes[page] == ("“a.org/teaCup.html”", None)
    assert quotes[page] is quotes[page]
    assert quotes.urls[page] == "https://a.org/teaCup.html"
    assert quotes.words[page] == ["tea", "Cup"]
