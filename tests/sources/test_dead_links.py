"""Links to missing pages of the folder are counted and listed; others may be left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import links_of, read
from tests.sources.markdown_folders import folder
from whatsrelated.errors import ReadError
from whatsrelated.sources.dead_links import DEAD, MAX_LOCATED, OUT, OUTSIDE
from whatsrelated.stream import CheckedLinks, DeadLink

SITE = {
    "index.html": '<p><a href="tea.html">tea</a>\n<a href="gone.html">x</a>'
    '<a href="https://w.org/">w</a>\n',
    "tea.html": '<p>\n\n<a href="sub/no%20page.html#x">no</a> <a href="pic.png">p</a>'
    ' <a href="sub/">s</a>\n',
    "sub/index.html": '<p><a href="../tea.html">tea</a>',
    "pic.png": "x",
}
VAULT = {
    "a.md": "# A\n\n[b](b.md)\n[gone](gone.md) [[Nobody|who]]\n<https://w.org/>\n",
    "b.md": "[a](a.md)\n",
}


def build(root: Path, files: dict[str, str], tmp_path: Path, **options: object) -> object:
    return read(folder(root, files), options={"report": str(tmp_path / "dead.tsv"), **options})


def rows(tmp_path: Path) -> list[str]:
    return (tmp_path / "dead.tsv").read_text().splitlines()


@pytest.mark.parametrize("base", [{}, {"base_url": "https://a.org/"}])
def test_dead_links_of_html_are_listed_with_page_and_line(
    base: dict[str, str], tmp_path: Path
) -> None:
    source = build(tmp_path / "site", SITE, tmp_path, **base)
    links_of(source)  # type: ignore[call-overload]
    own = base.get("base_url", "")
    lost = own + ("sub/no%20page.html" if own else "sub/no page.html")
    assert rows(tmp_path) == [
        "page\tline\tlink",
        f"index.html\t2\t{own}gone.html",
        f"tea.html\t3\t{lost}",
    ]
    assert source.counts["html"][DEAD] == 2  # type: ignore[attr-defined]


def test_dead_links_of_notes_are_listed_as_they_were_written(tmp_path: Path) -> None:
    source = build(tmp_path / "vault", VAULT, tmp_path)
    links_of(source)  # type: ignore[call-overload]
    assert rows(tmp_path) == ["page\tline\tlink", "a.md\t4\tgone.md", "a.md\t4\tNobody"]
    assert sum(counts[DEAD] for counts in source.counts.values()) == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("files", [SITE, VAULT])
def test_links_out_of_the_folder_may_be_left_out(files: dict[str, str], tmp_path: Path) -> None:
    root = tmp_path / "x"
    outside = [link for link in links_of(build(root, files, tmp_path)) if "w.org" in link[1]]  # type: ignore[call-overload]
    assert outside
    source = build(root, files, tmp_path, internal=True)
    assert not [link for link in links_of(source) if "w.org" in link[1]]  # type: ignore[call-overload]
    (counts,) = source.counts.values()  # type: ignore[attr-defined]
    assert counts[OUTSIDE] == 1


def test_a_report_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    source = read(folder(tmp_path / "x", VAULT), options={"report": str(tmp_path / "no/where")})
    with pytest.raises(ReadError, match="cannot be written"):
        links_of(source)


def test_a_folder_behind_a_symbolic_link_is_read(tmp_path: Path) -> None:
    folder(tmp_path / "real", SITE)
    (tmp_path / "alias").symlink_to("real")
    assert ("index.html", "tea.html") in links_of(read(tmp_path / "alias"))


def test_broken_links_come_with_the_page_also_those_of_navigation(tmp_path: Path) -> None:
    page = '<nav>\n<a href="lost.html">l</a></nav>\n\n<a href="x/../gone.html#a">g</a>'
    page += '<a href="mailto:a@b.org">m</a><a href="b.html">b</a>'
    site = folder(tmp_path / "site", {"a.html": page, "b.html": "<p>"})
    pages = {page.url: page for page in read(site)}
    assert pages["a.html"].checked == CheckedLinks(
        [DeadLink(4, "gone.html"), DeadLink(2, "lost.html")]
    ), "an address of e-mail is nothing to check"
    assert pages["b.html"].checked == CheckedLinks()
    vault = {page.url: page for page in read(folder(tmp_path / "vault", VAULT))}
    assert vault["a"].checked == CheckedLinks(
        [DeadLink(4, "gone.md"), DeadLink(4, "Nobody")], unchecked=1
    )


def test_no_page_makes_the_search_for_lines_long(tmp_path: Path) -> None:
    written = "".join(f"[x](no{number}.md)\n" for number in range(MAX_LOCATED + 5))
    (page,) = read(folder(tmp_path / "vault", {"a.md": written}))
    assert page.checked is not None
    assert [link.line for link in page.checked.broken[:3]] == [1, 2, 3]
    assert [link.line for link in page.checked.broken[-6:]] == [MAX_LOCATED, *[None] * 5]


@pytest.mark.parametrize("files", [SITE, VAULT])
def test_links_out_of_the_folder_are_counted_if_they_are_kept(
    files: dict[str, str], tmp_path: Path
) -> None:
    for internal, kind in ((False, OUT), (True, OUTSIDE)):
        source = build(tmp_path / str(internal), files, tmp_path, internal=internal)
        links_of(source)  # type: ignore[call-overload]
        (counts,) = source.counts.values()  # type: ignore[attr-defined]
        assert [counts[OUT], counts[OUTSIDE]] == [kind == OUT, kind == OUTSIDE]
