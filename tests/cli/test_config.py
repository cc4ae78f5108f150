"""`related config`: the options that are set, and where."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import related


def test_it_lists_the_files_and_what_they_set(tmp_path: Path) -> None:
    (tmp_path / "related.toml").write_text("graph = 'sample'\n[serve]\nport = 9000\n")
    done = related("config", cwd=tmp_path, XDG_CONFIG_HOME=str(tmp_path / "none"))
    assert done.returncode == 0
    assert "related.toml: read" in done.stderr
    assert f"{tmp_path}/none/whatsrelated/related.toml: not found" in done.stderr
    rows = done.stdout.splitlines()
    assert rows[0] == "option\tvalue\tfrom"
    assert "to.graph\tsample\trelated.toml" in rows
    assert "serve.port\t9000\trelated.toml" in rows
    assert not [row for row in rows if row.startswith("build.")]


def test_an_unknown_verb_is_an_error_that_names_the_closest(tmp_path: Path) -> None:
    done = related("config", "biuld", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "related: config: no verb 'biuld'; did you mean build?\n"


def test_all_tables_are_checked_not_only_that_of_one_verb(tmp_path: Path) -> None:
    (tmp_path / "related.toml").write_text("[rank]\nlimit = 3\n")
    done = related("config", cwd=tmp_path)
    assert done.returncode == 2
    assert "related.toml: rank has no option limit" in done.stderr
