"""`related token`: made once, kept as a hash."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.cli.commands import related
from whatsrelated.apps.serve.tokens import read_tokens


def test_the_file_has_the_hash_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first = related("token", "anna", "--graphs", "docs,wiki", cwd=tmp_path)
    second = related("token", "ben", cwd=tmp_path)
    assert (first.returncode, second.returncode) == (0, 0)
    file = tmp_path / "tokens.toml"
    assert file.stat().st_mode & 0o777 == 0o600
    text = file.read_text()
    token = first.stdout.strip()
    assert len(token) == 32
    assert token not in text
    assert hashlib.sha256(token.encode()).hexdigest() in text
    bearer = {b"authorization": b"Bearer " + token.encode()}
    admitted = read_tokens(file).admit(bearer)
    assert admitted is not None
    assert (admitted.name, admitted.graphs) == ("anna", {"docs", "wiki"})


def test_a_name_has_one_token(tmp_path: Path) -> None:
    related("token", "anna", cwd=tmp_path)
    before = (tmp_path / "tokens.toml").read_bytes()
    done = related("token", "anna", cwd=tmp_path)
    assert done.returncode == 2
    assert "tokens.toml has a token for anna; delete its table first." in done.stderr
    assert (tmp_path / "tokens.toml").read_bytes() == before
    done = related("token", 'anna"]', cwd=tmp_path)
    assert done.returncode == 2
    done = related("token", "ben", "--graphs", 'a"b', cwd=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "tokens.toml").read_bytes() == before
