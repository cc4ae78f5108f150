"""`make site`: the docs as a site that needs nothing from elsewhere, with our own lists in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import jinja2
import lxml.html
import pytest

from docs import conf
from docs.demo import demo
from tests.cli.commands import related
from tests.system import TOP

SITE = "build/site"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make site` builds it, in another folder, but without the sample Web."""
    place = tmp_path_factory.mktemp("site")
    makefile = (TOP / "Makefile").read_text()
    [line] = [line for line in makefile.splitlines() if "-m sphinx" in line and SITE in line]
    _, _, words = line.partition(" -m ")
    words = words.replace(" --tag sample", "").replace(SITE, str(place))
    command = [sys.executable, "-m", *words.split()]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return place


def pages_of(site: Path) -> dict[str, lxml.html.HtmlElement]:
    return {
        str(path.relative_to(site)): lxml.html.fromstring(path.read_bytes())
        for path in site.rglob("*.html")
        if "_static" not in path.parts
    }


def test_the_docs_are_a_site_with_formulas_and_related_pages(site: Path) -> None:
    pages = pages_of(site)
    methods = {name: pages[name] for name in pages if name.startswith("explanation/methods/")}
    assert len(methods) >= 13
    assert [name for name, page in methods.items() if not page.xpath("//math//mi")] == []
    own = set(pages) - {"genindex.html", "search.html"}
    assert [name for name in own if not pages[name].xpath("//aside[@data-whatsrelated]//a")] == []
    assert "$$" not in "".join(page.text_content() for page in pages.values())


def test_the_first_page_has_a_demo_and_code_can_be_copied(site: Path) -> None:
    first = pages_of(site)["index.html"]
    labels = [label.text for label in first.xpath("//div[@class='demo']/label")]
    lists = first.xpath("//div[@class='demo']/ol")
    assert len(labels) == len(lists) == 5
    assert "The Washington Post" in lists[labels.index("The New York Times")].text_content()
    assert first.xpath("//script[contains(@src, 'copybutton')]")
    assert "sample/index.html" in demo(published=True)
    assert not first.xpath("//div[@class='demo']//a[contains(@href, 'sample/')]")


def test_every_page_shows_its_version_and_links_to_other_releases(site: Path) -> None:
    release = metadata.version("whatsrelated")
    for name, page in pages_of(site).items():
        [shown] = page.xpath("//div[@class='versions']")
        assert f"Version {release}" in shown.text_content(), name
    change_log = "## Unreleased\n\n## 0.2.0 - 2027-03-01\n\n### Answers\n\n## 0.1.0 - 2027-01-02\n"
    assert conf.releases(change_log) == ["0.2.0", "0.1.0"]
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(TOP / "docs/templates"))
    parts = {"release": "0.2.0", "releases": ["0.2.0", "0.1.0"], "content_root": "../"}
    html = lxml.html.fromstring(environment.get_template("versions.html").render(parts))
    assert html.xpath(".//a/@href") == ["../../0.2.0/index.html", "../../0.1.0/index.html"]
    assert "not released" not in html.text_content()


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    fetched = "//script/@src | //img/@src | //link[@rel='stylesheet']/@href | //iframe/@src"
    for name, page in pages_of(site).items():
        assert [one for one in page.xpath(fetched) if "//" in one] == [], name


def test_the_lists_of_the_docs_are_up_to_date(site: Path) -> None:
    done = related("site", str(site), "--check", cwd=TOP / "docs")
    assert (done.returncode, done.stdout) == (0, "")


def test_the_docs_have_no_broken_link_and_no_orphan(site: Path, tmp_path: Path) -> None:
    options = ["--top", "0", "--fail-on", "broken,orphans"]
    done = related("gaps", str(site), *options, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    other = shutil.copytree(site, tmp_path / "other")
    (other / "orphan.html").write_text("<title>Orphan</title><p>Nobody links here.")
    assert related("gaps", str(other), *options, cwd=tmp_path).returncode == 1
