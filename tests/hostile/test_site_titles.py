"""Hostile titles in the lists that are written into a site, by us, by Sphinx and by MkDocs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import lxml.html

from tests.hostile.processes import related
from tests.hostile.test_outputs import BIDI, ESCAPE, UNSAFE
from whatsrelated.apps.site.markup import BEGIN, END

TITLES = {
    "script": "tea<script>alert(1)</script>",
    "image": "tea<img src=x onerror=alert(1)>",
    "end": f"tea{END}</aside></ul><iframe src=//evil.example>",
    "quote": "tea\" onmouseover=\"alert(1)' x='",
    "template": "tea {{ 7*7 }} {% raw %} ${7*7} <%= 7 %>",
    "link": "tea](javascript:alert(1)) [x",
    "bidi": f"tea{BIDI}",
    "escape": f"tea{ESCAPE}\x00",
}
"""The titles of pages, by name."""
ELEMENTS = {"aside", "h2", "ul", "li", "a"}
ATTRIBUTES = re.compile(r"class|href|data-[a-z-]+")


def lists(site: Path) -> list[lxml.html.HtmlElement]:
    """The lists in the pages of a site, each checked to be one whole region of its file."""
    found = []
    for page in site.rglob("*.html"):
        text = page.read_text()
        if BEGIN not in text:
            continue
        assert text.count(BEGIN) == text.count(END) == 1, page
        inner = text.partition(BEGIN)[2].partition(END)[0]
        assert not UNSAFE & {*inner, *lxml.html.fromstring(inner).text_content()}, page
        found.append(lxml.html.fromstring(inner))
    return found


def check(site: Path, pages: int) -> None:
    """Every page has a list, in which the titles are only text, and all of them are shown."""
    found = lists(site)
    assert len(found) == pages
    for each in found:
        assert {element.tag for element in each.iter()} <= ELEMENTS
        for element in each.iter():
            assert all(ATTRIBUTES.fullmatch(name) for name in element.attrib), element.attrib
        for link in each.iter("a"):
            assert re.fullmatch(r"[\w./-]+", link.get("href")), link.get("href")
    shown = {link.text_content() for each in found for link in each.iter("a")}
    assert len(shown) == len(TITLES), shown
    assert all("tea" in title for title in shown)


def escaped(title: str) -> str:
    return "".join(f"&#{ord(letter)};" for letter in title if letter not in "\0\x1b\x07")


def links_from(page: str, form: str) -> str:
    names = list(TITLES)
    at = names.index(page)
    return " ".join(form.format(names[(at + step) % len(names)]) for step in (1, 2, 4))


def test_titles_are_only_text_in_the_lists_of_a_site(tmp_path: Path) -> None:
    for name, title in TITLES.items():
        links = links_from(name, '<a href="{}.html">more</a>')
        text = f"<title>{escaped(title)}</title><main>{links}</main>"
        (tmp_path / f"{name}.html").write_text(text)
    everything = " ".join(f'<a href="{name}.html">tea</a>' for name in TITLES)
    for hub in ("one", "two"):
        (tmp_path / f"{hub}.html").write_text(f"<title>tea</title><main>{everything}</main>")
    done = related("site", tmp_path, "--limit", "9", "--skip", "one.html", "--skip", "two.html")
    assert done.status == 0, done
    check(tmp_path, len(TITLES))


def write_markdown(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name, title in TITLES.items():
        links = links_from(name, "[more]({}.md)")
        heading = "".join(f"&#{ord(each)};" for each in title if each not in "\0\x1b\x07")
        (folder / f"{name}.md").write_text(f"# {heading}\n\n{links}\n")


def test_titles_are_only_text_in_the_lists_of_mkdocs(tmp_path: Path) -> None:
    write_markdown(tmp_path / "docs")
    (tmp_path / "docs" / "index.md").write_text("Drinks\n")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: Drinks\nplugins:\n  - related:\n      limit: 9\n"
    )
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    check(tmp_path / "site", len(TITLES))


def test_titles_are_only_text_in_the_lists_of_sphinx(tmp_path: Path) -> None:
    write_markdown(tmp_path)
    listed = "\n".join(TITLES)
    (tmp_path / "index.md").write_text(f"# Drinks\n\n```{{toctree}}\n{listed}\n```\n")
    (tmp_path / "conf.py").write_text(
        'project = "Drinks"\n'
        'extensions = ["myst_parser", "whatsrelated.apps.site.sphinx"]\n'
        'html_theme = "basic"\nrelated_pages_limit = 9\nrelated_pages_skip = ["index.html"]\n'
    )
    command = [sys.executable, "-m", "sphinx", "-b", "html", ".", "_build"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    check(tmp_path / "_build", len(TITLES))
