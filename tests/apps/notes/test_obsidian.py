"""The plug-in for Obsidian, in node: a stub of Obsidian's API, and the real server."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.apps.serve import serving
from whatsrelated.apps import notes

PLUGIN = Path(notes.__path__[0], "obsidian")
SCENARIO = Path(__file__).with_name("obsidian_scenario.js")
TOKEN = "open-sesame-42"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    notes = {
        "Drinks/Tea.md": "Drunk from a [[Cup]], with [[Milk]].",
        "Drinks/Coffee.md": "Drunk from a [[Cup]], with [[Milk]].",
        "Cup.md": "",
        "Milk.md": "",
        "Breakfast.md": "[[Tea]] and [[Coffee]].",
        "Supper.md": "[[Coffee]] or [[Tea]].",
        "Unlinked.md": "https://tea.example/",
        "Rest.md": "# Rest\n\nA 🫖 of coffee, not [[Milk]].\n",
    }
    for name, text in notes.items():
        file = tmp_path / "vault" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "vault"


@pytest.mark.needs_system("nodejs")
def test_the_panel_lists_related_notes_and_inserts_links(vault: Path, tmp_path: Path) -> None:
    graph = wr.build([vault], tmp_path / "vault.graph", format="obsidian")
    answer = graph.related("Drinks/Tea", new=True)
    with serving(tmp_path / "vault.graph", token=TOKEN) as client:
        address = str(client.base_url).rstrip("/")
        done = subprocess.run(
            ["node", SCENARIO, PLUGIN / "main.js", vault, address, TOKEN],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    steps = json.loads(done.stdout)
    seen = dict(steps)
    assert "Open a note" in seen["no note is open"]
    assert (
        f'No server answers at http://127.0.0.1:9. Start it in a terminal: related serve "{vault}"'
        in (seen["the server is off"])
    )
    assert [re.sub(";.*", "", notice) for notice in seen["notices"]] == [
        "https://evil.example/ is not an address on this machine"
    ]
    assert "The server needs a token" in seen["the token is missing"]
    shown = seen["not linked yet"].split("\n")
    assert shown[:2] == ["Related to Tea", " not linked yet"]
    titles = [result.title or result.url for result in answer]
    assert [line for line in shown[2:] if line != "+"] == titles
    assert titles[0] == "Coffee"
    assert seen["saved"]["server"] == address
    assert seen["saved"]["token"] == TOKEN
    assert seen["reason"] == answer[0].evidence["sentence"]
    assert seen["opened"] == [
        {"linktext": "Drinks/Coffee", "sourcePath": "Drinks/Tea.md", "newLeaf": True}
    ]
    assert seen["dragged"] == {"text/plain": "[[Coffee]]"}
    assert seen["typed"] == ["[[Coffee]]"]
    assert (vault / "Drinks" / "Tea.md").read_text().endswith("[[Milk]].\n\n[[Coffee]]\n")
    at_mention = ["[[Coffee|coffee]]", {"line": 2, "ch": 8}, {"line": 2, "ch": 14}]
    assert seen["replaced"] == [at_mention, "[[Coffee]]"], "a line that changed has no mention"
    assert (vault / "Rest.md").read_text() == "# Rest\n\nA 🫖 of [[Coffee|coffee]], not [[Milk]].\n"
    assert seen["timers"] == 1, "an edit is asked for again, a little later"
    assert seen["window.open"] == "https://tea.example/"
    title = "T (javascript:x) b"
    addresses = [
        "https://a.example/x%3E%20%29%20%5By%5D%28javascript:alert%281%29",
        "https://a.example/x%29#%20Heading",
        "obsidian://open?vault=a%3Eb",
    ]
    assert seen["links"] == [
        *([title] * 7),
        *(f"[{title}](<{address}>)" for address in addresses),
        "[[A note x (javascript:alert(1)) ]]",
        "[[Note: on tea]]",
    ]
    assert seen["windows"] == addresses
    names = ["A note]] [x](javascript:alert(1))\n", "Note: on tea"]
    assert seen["notes"] == names
    assert seen["addresses"] == [*([None] * 7), *addresses, *names]
    assert "Cup" in seen["all"].split("\n")
    assert "Cup" not in shown
    assert "No page Unknown.md" in seen["unknown"]
    assert seen["listeners"] == 0, "what was registered is gone with the plug-in"


def test_the_plug_in_is_plain_files_with_their_manifest() -> None:
    manifest = json.loads((PLUGIN / "manifest.json").read_text())
    assert {path.name for path in PLUGIN.iterdir()} == {"main.js", "manifest.json", "styles.css"}
    assert manifest["id"] == "whats-related"
    assert manifest["isDesktopOnly"]
    code = (PLUGIN / "main.js").read_text()
    assert set(re.findall(r"require\((.*?)\)", code)) == {'"obsidian"'}
    assert "innerHTML" not in code
    assert "fetch(" not in code
