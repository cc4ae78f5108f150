"""Tokens: who may ask which graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.serve import problem, serving
from tests.graphs import graph_of
from whatsrelated.apps.serve.tokens import Token, Tokens, digest, read_tokens
from whatsrelated.errors import OptionError

TOKENS = Tokens(
    {
        digest(b"anna's token"): Token("anna", frozenset(["tea"])),
        digest(b"ben's token"): Token("ben", frozenset(["wine"])),
        digest(b"clara's token"): Token("clara"),
    }
)


def test_a_token_is_for_its_graphs() -> None:
    with serving(graph_of("a -> tea coffee", "b -> coffee tea"), TOKENS, name="tea") as client:

        def ask(token: str) -> int:
            bearer = {"authorization": f"Bearer {token}"}
            return client.get("/api/related?url=tea", headers=bearer).status_code

        assert [ask("anna's token"), ask("clara's token"), ask("x")] == [200, 200, 401]
        refused = client.get("/", auth=("", "ben's token"))
        assert refused.status_code == 403
        bearer = {"authorization": "Bearer ben's token"}
        sentence = problem(client.get("/api/related?url=tea", headers=bearer), 403)
        assert sentence == "The token of ben is not for the graph tea."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "has no tokens"),
        ("anna = 3", "'anna' must be a table"),
        ("[anna]\n", "anna needs sha256"),
        ("[anna]\nsha256 = 'x'\n", "anna needs sha256"),
        (
            f"[anna]\nsha256 = '{digest(b'')}'\ngraph = []\n",
            "unknown key graph; use sha256, graphs and read-only",
        ),
        (f"[anna]\nsha256 = '{digest(b'')}'\ngraphs = 'x'\n", "must be a list of names"),
        (
            f"[a]\nsha256 = '{digest(b'')}'\n[b]\nsha256 = '{digest(b'')}'\n",
            "a and b have the same",
        ),
        ("[anna\n", "is not valid TOML"),
        ('["a\\nb"]\n', "must be a table with a plain name"),
    ],
)
def test_a_bad_file_is_rejected(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "tokens.toml").write_text(text)
    with pytest.raises(OptionError, match=sentence):
        read_tokens(tmp_path / "tokens.toml")
