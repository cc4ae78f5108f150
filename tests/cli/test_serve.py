"""`related serve`: what it needs before it begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import related
from whatsrelated.cli import serve
from whatsrelated.errors import MissingExtra, OptionError


def test_the_token_is_that_of_the_file_else_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RELATED_TOKEN", raising=False)
    assert serve.token(None) is None
    monkeypatch.setenv("RELATED_TOKEN", "from-the-environment")
    assert serve.token(None) == "from-the-environment"
    (tmp_path / "token").write_text("from-the-file\n")
    assert serve.token(str(tmp_path / "token")) == "from-the-file"
    (tmp_path / "token").write_text("short")
    with pytest.raises(OptionError, match="a token must have 8 plain characters or more"):
        serve.token(str(tmp_path / "token"))


def test_a_missing_package_is_named_with_the_way_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serve, "NEEDED", ("surely_not_installed",))
    with pytest.raises(MissingExtra, match=r"surely_not_installed: pip install .*server"):
        serve.serve("sample")


def test_a_graph_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = related("serve", "no.graph", "--port", "0", cwd=tmp_path)
    assert done.returncode == 2
    assert "no.graph does not exist" in done.stderr
    assert "Traceback" not in done.stderr
