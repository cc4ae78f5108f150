"""Small sites to write lists into."""

from __future__ import annotations

from pathlib import Path

TEA = {
    "index.html": "<title>Start - Drinks</title><main>a</main>",
    "tea/green.html": "<title>Green &amp; <b>tea</b> - Drinks</title><main>Drunk with "
    "<a href='../milk.html'>milk</a>, <a href='../honey.html'>honey</a>, unlike "
    "<a href='black%20tea.html'>black tea</a>.</main>",
    "tea/black tea.html": "<title>Black tea - Drinks</title><main>Drunk with "
    "<a href='../milk.html'>milk</a>, <a href='../honey.html'>honey</a>.</main>",
    "coffee.html": "<title>Café ☕ - Drinks</title><main>Drunk with <a href='milk.html'>milk</a>, "
    "<a href='gone.html'>whisky</a>, see <a href='https://coffee.example/'>more</a>.</main>",
    "milk.html": "<title>Milk - Drinks</title><main>White.</main>",
    "honey.html": "<title>Honey - Drinks</title><main>Sweet.</main>",
    "genindex.html": "<title>Index - Drinks</title><main><a href='coffee.html'>coffee</a></main>",
}
"""A site whose pages about tea share their links."""


def make(root: Path, pages: dict[str, str | bytes] | None = None) -> Path:
    """Write the pages of a site into a folder."""
    for name, markup in (TEA if pages is None else pages).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(markup if isinstance(markup, bytes) else markup.encode())
    return root


def contents(root: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones as well."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in files}
