"""A page opens where its reader can see it."""

from __future__ import annotations

from pathlib import Path

import pytest

import whatsrelated as wr
from whatsrelated.errors import OptionError
from whatsrelated.graph.page_files import OpenWith, PageAddresses

NOTES = {"tea.md": "[[milk]] and https://tea.example/", "food/milk.md": "[[tea]]", "cup.md": "x"}


def built(folder: Path, **options: str) -> wr.Graph:
    for name, text in NOTES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return wr.build([folder], folder.with_suffix(".graph"), **options)


def addresses(graph: wr.Graph, template: str | None = None, here: bool = True) -> PageAddresses:
    return PageAddresses(graph.store, lambda file, name: f"shown/{name}", template, here)


def test_a_page_of_the_web_opens_at_its_url_and_a_note_as_its_file(tmp_path: Path) -> None:
    opens = addresses(built(tmp_path / "notes"))
    assert opens("https://tea.example/") == "https://tea.example/"
    assert opens("food/milk") == "shown/food/milk.md"
    assert opens("nothing") is None


def test_a_file_that_is_gone_or_leads_out_of_the_folder_does_not_open(tmp_path: Path) -> None:
    graph = built(tmp_path / "notes")
    (tmp_path / "notes/tea.md").unlink()
    (tmp_path / "secret").write_text("x")
    (tmp_path / "notes/cup.md").unlink()
    (tmp_path / "notes/cup.md").symlink_to(tmp_path / "secret")
    opens = addresses(graph)
    assert opens("tea") is opens("cup") is None


def test_a_note_of_a_vault_opens_in_obsidian_on_this_machine_only(tmp_path: Path) -> None:
    (tmp_path / "notes/.obsidian").mkdir(parents=True)
    graph = built(tmp_path / "notes")
    path = str(tmp_path / "notes/tea.md").replace("/", "%2F")
    assert addresses(graph)("tea") == f"obsidian://open?path={path}"
    assert addresses(graph, here=False)("tea") == "shown/tea.md"


@pytest.mark.parametrize(
    ("template", "address"),
    [
        ("vscode://file{path}", "vscode://file{root}/food/milk.md"),
        ("https://docs.example/", "https://docs.example/food/milk.md"),
        ("https://docs.example/?page={name}", "https://docs.example/?page=food/milk.md"),
    ],
)
def test_a_template_opens_pages_elsewhere(template: str, address: str, tmp_path: Path) -> None:
    opens = addresses(built(tmp_path / "notes"), template)
    assert opens("food/milk") == address.replace("{root}", str(tmp_path / "notes"))
    assert opens("https://tea.example/") == "https://tea.example/"


@pytest.mark.parametrize("template", ["javascript:alert(1)//", "DATA:x", "docs", ""])
def test_a_template_is_an_address(template: str) -> None:
    with pytest.raises(OptionError, match="open-with must be an address such as vscode"):
        OpenWith(template)
