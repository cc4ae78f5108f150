"""Access tokens, which determine who may query which graph. Only their hashes are stored.

A file of tokens is TOML, with one table per name:

    [alice]
    sha256 = "…"            # of the token, in hexadecimal
    graphs = ["docs"]       # all graphs if this is omitted
    read-only = true        # may not change a graph, even with --writable
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import secrets
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from whatsrelated.errors import OptionError

Headers = dict[bytes, bytes]

CHALLENGE = 'Bearer, Basic realm="whatsrelated", charset="UTF-8"'
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
DIGEST = re.compile(r"[0-9a-f]{64}")
MAX_BYTES = 1 << 20


@dataclass(frozen=True)
class Token:
    """A token's name, the graphs it may query (None for all), and whether it may only read them."""

    name: str
    graphs: frozenset[str] | None = None
    read_only: bool = False


class Tokens:
    """The tokens that a server accepts; if there are none, anyone may query it."""

    def __init__(self, by_digest: dict[str, Token] | None = None) -> None:
        self._by_digest = by_digest or {}

    def __bool__(self) -> bool:
        return bool(self._by_digest)

    def __or__(self, other: Tokens) -> Tokens:
        return Tokens(self._by_digest | other._by_digest)

    def named_graphs(self) -> set[str]:
        """Every graph that a token names."""
        return {name for token in self._by_digest.values() for name in token.graphs or ()}

    def admit(self, headers: Headers) -> Token | None:
        """The token of a request; None if none is needed."""
        if not self._by_digest:
            return None
        token = self._by_digest.get(digest(_token_in(headers)))
        if token is None:
            sentence = "A token is needed: Authorization: Bearer …"
            raise HTTPException(401, sentence, {"www-authenticate": CHALLENGE})
        return token


def refuse_other_graph(token: Token | None, graph: str) -> None:
    """Reject a token that is not for this graph."""
    if token is not None and token.graphs is not None and graph not in token.graphs:
        raise HTTPException(403, f"The token of {token.name} is not for the graph {graph}.")


def refuse_read_only(token: Token | None) -> None:
    """Reject a token that may not change a graph."""
    if token is not None and token.read_only:
        raise HTTPException(403, f"The token of {token.name} is read-only.")


def digest(token: bytes) -> str:
    """The stored hash of a token; tokens are long and random, so a fast hash is enough."""
    return hashlib.sha256(token).hexdigest()


def one_token(token: str | None) -> Tokens:
    """A single token for all graphs."""
    return Tokens({digest(token.encode()): Token("token")} if token else {})


def read_tables(file: Path) -> dict[str, Any]:
    """The tables of a file of tokens, by name."""
    with file.open("rb") as opened:
        data = opened.read(MAX_BYTES)
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise OptionError(f"{file} is not valid TOML: {error}.") from None


def read_tokens(file: Path) -> Tokens:
    """The tokens of a file."""
    by_hash: dict[str, Token] = {}
    for name, table in read_tables(file).items():
        if not NAME.fullmatch(name) or not isinstance(table, dict):
            raise OptionError(f"{file}: {name!r:.80} must be a table with a plain name.")
        unknown = set(table) - {"sha256", "graphs", "read-only"}
        if unknown:
            raise OptionError(
                f"{file}: {name} has an unknown key {min(unknown):.80}; "
                "use sha256, graphs and read-only."
            )
        key, graphs = table.get("sha256"), table.get("graphs")
        read_only = table.get("read-only", False)
        if not isinstance(key, str) or not DIGEST.fullmatch(key):
            raise OptionError(f"{file}: {name} needs sha256, 64 hexadecimal digits of its token.")
        if graphs is not None and not _are_names(graphs):
            raise OptionError(f"{file}: the graphs of {name} must be a list of names.")
        if not isinstance(read_only, bool):
            raise OptionError(f"{file}: read-only of {name} must be true or false.")
        if key in by_hash:
            raise OptionError(f"{file}: {by_hash[key].name} and {name} have the same token.")
        by_hash[key] = Token(name, None if graphs is None else frozenset(graphs), read_only)
    if not by_hash:
        raise OptionError(f"{file} has no tokens; create one with related token NAME.")
    return Tokens(by_hash)


def _are_names(graphs: object) -> bool:
    return isinstance(graphs, list) and all(isinstance(name, str) for name in graphs)


def new_token(name: str, graphs: Iterable[str], *, read_only: bool = False) -> tuple[str, str]:
    """A new token, and its table for a file of tokens."""
    if not NAME.fullmatch(name):
        raise OptionError(f"token: a name may contain letters, digits, - and _, got {name!r:.80}.")
    token = secrets.token_urlsafe(24)
    listed = ", ".join(f'"{graph}"' for graph in graphs)
    rows = [f"[{name}]", f'sha256 = "{digest(token.encode())}"']
    if listed:
        rows.append(f"graphs = [{listed}]")
    if read_only:
        rows.append("read-only = true")
    return token, "\n".join(rows) + "\n"


def _token_in(headers: Headers) -> bytes:
    """The bearer token, or the password entered in a browser."""
    scheme, _, value = headers.get(b"authorization", b"").partition(b" ")
    if scheme.lower() == b"bearer":
        return value.strip()
    if scheme.lower() == b"basic":
        try:
            return base64.b64decode(value, validate=True).partition(b":")[2]
        except binascii.Error:
            return b""
    return b""
