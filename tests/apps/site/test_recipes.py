"""The recipes of docs/how-to/related-pages.md, as they stand there, on a small site."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import lxml.html
import pytest

from tests.apps.notes import write_pages
from tests.system import TOP
from tests.terminal import Shell

PAGE = (TOP / "docs" / "how-to" / "related-pages.md").read_text()


def follow(name: str, folder: Path) -> None:
    """Write the files that a section shows, and run its commands."""
    section = PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    for path, text in re.findall(r"^`([^`\n]+)`:\n\n```[^\n]*\n(.*?)^```$", section, re.M | re.S):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    [shown] = re.findall(r"^```console not run: [^\n]*\n(.*?)^```$", section, re.M | re.S) or [""]
    for command in re.findall(r"^\$ (.*)$", shown, re.M):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={**Shell(folder).environment, "PYTHONWARNINGS": "default"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def related(page: Path) -> dict[str, str]:
    """The links of the list of a page, by their texts."""
    [box] = lxml.html.fromstring(page.read_bytes()).xpath("//aside[@class='related-pages']")
    return {link.text_content(): link.get("href") for link in box.iter("a")}


def test_zensical(tmp_path):
    write_pages(tmp_path / "docs", "{name}.md")
    (tmp_path / "zensical.toml").write_text('[project]\nsite_name = "Drinks"\n')
    follow("Zensical", tmp_path)
    assert related(tmp_path / "site" / "green" / "index.html")["Black"] == "../black/"


def hugo_site(folder: Path, base: str, config: str = "hugo.toml") -> None:
    write_pages(folder / "content" / "drinks", "/drinks/{name}/", "---\ntitle: {name}\n---\n")
    (folder / "content" / "drinks" / "index.md").unlink()  # it would merge all into one page
    (folder / config).parent.mkdir(parents=True, exist_ok=True)
    (folder / config).write_text(f'baseURL = "{base}"\ntitle = "Drinks"\n')
    layout = folder / "layouts" / "_default" / "single.html"
    layout.parent.mkdir(parents=True)
    layout.write_text('<main>{{ .Content }}</main>{{ partial "related-pages.html" . }}')


@pytest.mark.needs_system("hugo")
@pytest.mark.parametrize(
    ("base", "config", "address"),
    [
        ("https://example.org/", "hugo.toml", "/drinks/black/"),
        ("https://example.org/tea/shop/", "config.toml", "/tea/shop/drinks/black/"),
        ("https://example.org/tea", "config/_default/config.toml", "/tea/drinks/black/"),
    ],
)
def test_hugo(tmp_path, base, config, address):
    hugo_site(tmp_path, base, config)
    follow("Hugo", tmp_path)
    found = related(tmp_path / "public" / "drinks" / "green" / "index.html")
    assert found["black"] == address


@pytest.mark.needs_system("hugo")
def test_hugo_stops_if_the_data_file_has_none_of_its_pages(tmp_path):
    hugo_site(tmp_path, "https://example.org/")
    with (tmp_path / "hugo.toml").open("a") as config:
        config.write('[permalinks]\ndrinks = "/:year/:slug/"\n')
    with pytest.raises(AssertionError, match="No page has a list in data"):
        follow("Hugo", tmp_path)


@pytest.mark.needs_system("jekyll")
def test_jekyll(tmp_path):
    head = "---\ntitle: {name}\nlayout: page\n---\n"
    write_pages(tmp_path, "{name}.html", head)
    (tmp_path / "_config.yml").write_text("title: Drinks\n")
    layout = tmp_path / "_layouts" / "page.html"
    layout.parent.mkdir()
    layout.write_text("{{ content }}{% include related-pages.html %}")
    follow("Jekyll", tmp_path)
    assert related(tmp_path / "_site" / "green.html")["black"] == "/black.html"


@pytest.mark.skipif("RELATED_NODE" not in os.environ, reason="RELATED_NODE has no Node packages")
def test_eleventy(tmp_path):
    """RELATED_NODE is a folder with `node_modules`, in which Eleventy is installed."""
    (tmp_path / "node_modules").symlink_to(Path(os.environ["RELATED_NODE"]) / "node_modules")
    write_pages(tmp_path, "/{name}/", "---\ntitle: {name}\nlayout: layout.njk\n---\n")
    follow("Eleventy", tmp_path)
    assert related(tmp_path / "_site" / "green" / "index.html")["black"] == "/black/"
