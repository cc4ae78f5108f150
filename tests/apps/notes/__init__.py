"""Small sites for the generators that people use."""

from __future__ import annotations

from pathlib import Path

TOPICS = {
    "index": "The drinks of this site.",
    "green": "Green tea is drunk with [honey]({honey}) and [lemon]({lemon}).",
    "black": "Black tea is drunk with [honey]({honey}) and [lemon]({lemon}).",
    "coffee": "Coffee is drunk with [milk]({milk}).",
    "honey": "Honey is sweet.",
    "lemon": "Lemons are sour.",
    "milk": "Milk is white.",
}


def write_pages(folder: Path, link: str, head: str = "", suffix: str = ".md") -> None:
    """The same few pages for any generator: `link` and `head` are made with `name`."""
    folder.mkdir(parents=True, exist_ok=True)
    links = {name: link.format(name=name) for name in TOPICS}
    for name, text in TOPICS.items():
        body = f"# {name.title()}\n\n{text.format(**links)}\n"
        (folder / f"{name}{suffix}").write_text(head.format(name=name) + body)
