"""`related obsidian install`: the plug-in is put into a vault."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import related


def test_the_plug_in_is_installed_and_a_newer_one_keeps_its_settings(tmp_path: Path) -> None:
    (tmp_path / "vault" / ".obsidian").mkdir(parents=True)
    done = related("obsidian", "install", "vault", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "related serve vault" in done.stdout
    folder = tmp_path / "vault" / ".obsidian" / "plugins" / "whats-related"
    assert {file.name for file in folder.iterdir()} == {"main.js", "manifest.json", "styles.css"}
    (folder / "data.json").write_text('{"limit": 5}')
    (folder / "main.js").write_text("old")
    assert related("obsidian", "install", "vault", cwd=tmp_path).returncode == 0
    assert (folder / "data.json").read_text() == '{"limit": 5}'
    assert "What's Related" in (folder / "main.js").read_text()


def test_a_folder_that_is_not_a_vault_is_one_line(tmp_path: Path) -> None:
    done = related("obsidian", "install", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert (
        "is not an Obsidian vault (no .obsidian folder); open it in Obsidian once first"
        in done.stderr
    )
    assert list(tmp_path.iterdir()) == []
