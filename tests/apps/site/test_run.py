"""Lists in every page of a site, and out again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import lxml.html
import pytest

import whatsrelated as wr
from tests.apps.site import TEA, contents, make
from whatsrelated.apps.site.markup import BEGIN
from whatsrelated.apps.site.options import SiteOptions
from whatsrelated.apps.site.run import Asking, remove_lists, write_data, write_lists
from whatsrelated.errors import OptionError

PYTHON_DOC = Path("/usr/share/doc/python3-doc/html")
KILLS = int(os.environ.get("RELATED_KILLS", "3"))


def asking(by=None, method=None, reading=None, base_url=None, **options):
    reading = {"workers": 1, **(reading or {})}
    return Asking(SiteOptions(**options), by, method or {}, reading, base_url)


def listed(root, page, heading="Related pages"):
    """The links of a page's list, as (href, title, marked)."""
    tree = lxml.html.fromstring((root / page).read_bytes())
    [found] = [one for one in tree.iter("h2") if one.text_content() == heading]
    items = [link.getparent() for link in found.getnext().iter("a")]
    return [(item[0].get("href"), item[0].text_content(), item.get("class")) for item in items]


def test_every_page_gets_the_pages_related_to_it(tmp_path):
    root = make(tmp_path)
    outcome = write_lists(root, asking())
    assert listed(root, "tea/green.html")[0] == ("black%20tea.html", "Black tea", "linked")
    assert listed(root, "tea/black tea.html")[0] == ("green.html", "Green & <b>tea</b>", None)
    assert ("../coffee.html", "Café ☕", None) in listed(root, "tea/green.html")
    assert outcome.skipped == 1
    assert (root / "genindex.html").read_text() == TEA["genindex.html"]
    assert (root / "index.html").read_text() == TEA["index.html"]
    assert sorted(outcome.changed) == sorted(set(TEA) - {"genindex.html", "index.html"})


def test_missing_and_external_pages_are_not_listed(tmp_path):
    root = make(tmp_path)
    write_lists(root, asking(limit=100))
    hrefs = {href for page in TEA for href in _hrefs(root / page)}
    assert "gone.html" not in hrefs
    assert not any("coffee.example" in href or "genindex" in href for href in hrefs)
    write_lists(root, asking(limit=100, internal=False))
    hrefs = {href for page in TEA for href in _hrefs(root / page)}
    assert "https://coffee.example/" in hrefs
    assert "gone.html" not in hrefs


def _hrefs(page):
    _, _, after = page.read_text().partition(BEGIN)
    return [link.get("href") for link in lxml.html.fromstring(after or "<p>").iter("a")]


@pytest.mark.parametrize("links", ["content", "all"])
def test_a_second_run_changes_nothing_and_the_original_comes_back(tmp_path, links):
    root = make(tmp_path)
    before = contents(root)
    how = asking(show="related,backlinks", reading={"links": links, "section": "body"})
    assert write_lists(root, how).changed
    after = contents(root)
    times = {path: path.stat().st_ino for path in root.rglob("*.html")}
    assert write_lists(root, how, dry=True).changed == []
    assert write_lists(root, how).changed == []
    assert {path: path.stat().st_ino for path in root.rglob("*.html")} == times
    assert contents(root) == after
    assert len(remove_lists(root, dry=True).changed) == len(remove_lists(root).changed) > 0
    assert contents(root) == before


def test_backlinks_have_a_separate_heading(tmp_path):
    root = make(tmp_path)
    write_lists(root, asking(show="backlinks", heading="Wer verlinkt?", limit=2))
    assert listed(root, "honey.html", "Wer verlinkt?") == [
        ("tea/black%20tea.html", "Black tea", None),
        ("tea/green.html", "Green & <b>tea</b>", None),
    ]
    assert len(listed(root, "milk.html", "Wer verlinkt?")) == 2


def test_a_dry_run_changes_nothing(tmp_path):
    root = make(tmp_path)
    before = contents(root)
    assert write_lists(root, asking(), dry=True).changed
    assert contents(root) == before


def test_a_page_that_is_skipped_or_has_nothing_loses_its_list(tmp_path):
    root = make(tmp_path)
    write_lists(root, asking())
    write_lists(root, asking(skip="tea/*"))
    assert (root / "tea/green.html").read_text() == TEA["tea/green.html"]
    assert not any("tea" in href for href in _hrefs(root / "coffee.html"))


def test_a_graph_can_be_given_whatever_its_names(tmp_path):
    root = make(tmp_path / "site")
    write_lists(root, asking())
    expected = contents(root)
    remove_lists(root)
    for base in (None, "https://drinks.example/"):
        graph = wr.build([root], tmp_path / "web.graph", base_url=base, workers=1)
        write_lists(root, Asking(), graph)
        assert contents(root) == expected
        remove_lists(root)


def test_a_site_may_link_to_itself_by_its_base_url(tmp_path):
    base = "https://drinks.example/blog/"
    page = (
        "<title>{0}</title><main><a href={1}honey.html>a</a> <a href=/blog/lemon.html>b</a></main>"
    )
    pages = {f"{name}.html": page.format(name, base) for name in ("tea", "coffee")}
    pages |= {f"{name}.html": f"<title>{name}</title><main></main>" for name in ("honey", "lemon")}
    root = make(tmp_path, pages)
    assert write_lists(root, asking()).with_list == 2, "only the pages that share missing links"
    assert write_lists(root, asking(base_url=base)).with_list == 4
    assert "coffee.html" in _hrefs(root / "tea.html")


def test_bad_markers_and_pages_without_a_place_are_reported(tmp_path):
    pages = {
        **TEA,
        "coffee.html": TEA["coffee.html"] + BEGIN,
        "milk.html": TEA["milk.html"] + "<!--",
    }
    pages["milk.html"] = pages["milk.html"].replace("main>", "p>")
    root = make(tmp_path, pages)
    outcome = write_lists(root, asking())
    assert outcome.bad_markers == ["coffee.html"]
    assert outcome.without_place == ["milk.html"]
    assert (root / "coffee.html").read_text() == pages["coffee.html"]


def test_files_that_are_not_text_are_left_alone(tmp_path):
    binary = b"<main>" + bytes(range(32)) * 50 + b"</main>"
    root = make(tmp_path, {**TEA, "milk.html": binary})
    write_lists(root, asking())
    assert (root / "milk.html").read_bytes() == binary
    assert not any("milk" in href for href in _hrefs(root / "coffee.html"))


def test_the_file_of_a_link_is_written_once_and_nothing_outside_of_the_folder(tmp_path):
    root = make(tmp_path / "site")
    (tmp_path / "out.html").write_text(TEA["coffee.html"])
    (root / "out.html").symlink_to("../out.html")
    (root / "same.html").symlink_to("coffee.html")
    write_lists(root, asking())
    assert (root / "same.html").is_symlink()
    assert (root / "same.html").read_text().count(BEGIN) == 1
    assert (tmp_path / "out.html").read_text() == TEA["coffee.html"]


def test_data_have_the_same_lists_with_reasons(tmp_path):
    root = make(tmp_path / "site")
    output = tmp_path / "related.json"
    outcome = write_data(root, output, asking(limit=1))
    assert outcome.changed == [str(output)]
    data = json.loads(output.read_bytes())
    [entry] = data["tea/green.html"]
    assert (entry["url"], entry["title"]) == ("tea/black%20tea.html", "Black tea")
    assert entry["linked"]
    assert entry["why"]
    assert "genindex.html" not in data
    before = output.read_bytes()
    assert write_data(root, output, asking(limit=1)).changed == []
    assert write_data(root, output, asking(limit=2), dry=True).changed == [str(output)]
    assert output.read_bytes() == before
    write_data(root, output, asking(limit=1, show="related,backlinks"))
    both = json.loads(output.read_bytes())
    assert both["tea/green.html"]["related"] == [entry]
    assert both["honey.html"]["backlinks"][0]["url"] == "tea/black%20tea.html"


def test_notes_can_be_turned_into_data(tmp_path):
    notes = {"a.md": "# A\n[m](m.md) [h](h.md)", "b.md": "# B\n[m](m.md) [h](h.md)", "m.md": "# M"}
    root = make(tmp_path / "notes", notes)
    output = tmp_path / "related.yaml"
    write_data(root, output, Asking())
    assert '"a.md":\n- linked: false\n  score: ' in output.read_text()


def test_wrong_use_is_one_sentence(tmp_path):
    with pytest.raises(OptionError, match="nowhere is not a folder; give the folder of"):
        write_lists(tmp_path / "nowhere", asking())
    with pytest.raises(OptionError, match="at must be a CSS selector"):
        write_lists(make(tmp_path), asking(at="[["))
    with pytest.raises(OptionError, match="parents must be at least 1, got 0"):
        write_lists(tmp_path, asking(by="cocitation", method={"parents": 0}))


KILLED = """
import os, signal, sys
from pathlib import Path
from whatsrelated.apps.site import run

folder, left = sys.argv[1], int(sys.argv[2])
real = run.write_file

def write_file(path, data, **how):
    global left
    if not left:
        Path.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    real(path, data, **how)

run.write_file = write_file
run.write_lists(folder, run.Asking())
"""
"""Writes the lists of a folder, and is killed after a given number of pages, while writing one."""


def test_a_kill_leaves_whole_pages_and_the_next_run_ends_it(tmp_path):
    many = {
        f"{n}.html": f"<main><a href={n * 7 % 60}.html>{n}</a><a href=0.html>x</a></main>"
        for n in range(60)
    }
    old = make(tmp_path / "old", many)
    shutil.copytree(old, tmp_path / "new")
    changed = write_lists(tmp_path / "new", asking()).changed
    before, after = contents(old), contents(tmp_path / "new")
    for kill in range(KILLS):
        root = tmp_path / str(kill)
        shutil.copytree(old, root)
        written = kill * len(changed) // KILLS
        command = [sys.executable, "-c", KILLED, str(root), str(written)]
        assert subprocess.run(command, check=False).returncode == -9
        left = contents(root)
        [unfinished] = [name for name in left if name.startswith(".")]
        del left[unfinished]
        assert left == {**before, **{name: after[name] for name in changed[:written]}}
        write_lists(root, asking())
        assert contents(root) == after


@pytest.mark.needs_system("python3-doc")
def test_python_s_documentation_is_written_once_and_comes_back(tmp_path):
    root = tmp_path / "html"
    for page in [*PYTHON_DOC.glob("*.html"), *PYTHON_DOC.glob("library/[a-e]*.html")]:
        place = root / page.relative_to(PYTHON_DOC)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, place)
    before = contents(root)
    first = write_lists(root, asking(reading={"links": "all", "workers": 0}))
    assert first.with_list > 80
    assert first.without_place == []
    titles = [title for _, title, _ in listed(root, "library/email.message.html")]
    assert not any("documentation" in title for title in titles)
    assert write_lists(root, asking(reading={"links": "all", "workers": 0}), dry=True).changed == []
    remove_lists(root)
    assert contents(root) == before
