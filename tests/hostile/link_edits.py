"""Write links into mutated files and check that nothing else changes.

    python -m tests.hostile.link_edits --count 10000 --seed 7

For every file: the text without links is the same before and after, the links are the old ones and
the new ones, `undo` restores every byte, and no file outside the folder changes.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from pathlib import Path

import whatsrelated as wr
from whatsrelated.api.reading import read_html
from whatsrelated.apps.mentions.edits import apply, plan, undo
from whatsrelated.apps.mentions.finder import MentionFinder, folder_of
from whatsrelated.apps.mentions.linking import LinkWriter
from whatsrelated.apps.mentions.markdown_text import outline

WORDS = ["kettle", "teapot", "milk", "sugar", "lemon", "honey"]
MARKS = {
    ".md": [
        "`",
        "```\n",
        "[",
        "]",
        "(",
        ")",
        "[[",
        "]]",
        "|",
        "\n| a | b |\n|---|---|\n| ",
        "> ",
        "# ",
        "\n\n",
        "\r\n",
        "*",
        "_",
        "<a href='x'>",
        "</a>",
        "<!--",
        "-->",
        "\\",
        "&amp;",
        "{{",
        "}}",
        "$",
        "---\n",
        "    ",
        "- ",
        "é",
        "茶",
        "<",
        ">",
        "![",
        "[^1]",
        "[x]: y\n",
        "~~",
        "<b>",
        "\x00",
        "%%",
    ],
    ".html": [
        "<p>",
        "</p>",
        "<a href=x>",
        "</a>",
        "<code>",
        "</code>",
        "<!--",
        "-->",
        "<",
        ">",
        "&",
        "&amp;",
        '"',
        "'",
        "<pre>",
        "</pre>",
        "<script>",
        "</script>",
        "<table><tr><td>",
        "</table>",
        "<b>",
        "</b>",
        "<h2>",
        "</h2>",
        "<svg>",
        "</svg>",
        "<select>",
        "<textarea>",
        "é",
        "\r\n",
        "<title>",
        "\x00",
        "/>",
    ],
}


def mutated(suffix: str, rng: random.Random) -> str:
    """A text of words and stray marks."""
    parts = []
    for _ in range(rng.randrange(3, 40)):
        parts.append(rng.choice(WORDS) if rng.random() < 0.5 else rng.choice(MARKS[suffix]))
        parts.append(rng.choice([" ", " ", " ", "", "\n"]))
    return "".join(parts)


def _view(text: str, suffix: str) -> tuple[str, list[tuple[str, str]]]:
    if suffix == ".md":
        return outline(text)
    page = read_html(text, anchors=True, text=True)
    return " ".join(page.text.split()), [
        (words, link[0]) for words, link in zip(page.anchors, page.links, strict=True)
    ]


def damaged_files(folder: Path, suffix: str, count: int, rng: random.Random) -> list[str]:
    """The files that an edit damaged, among `count` mutated ones."""
    site = folder / f"site{suffix[1:]}"
    site.mkdir()
    link = "[{0}]({0}.md)" if suffix == ".md" else '<a href="{0}.html">{0}</a>'
    for word in WORDS:
        (site / f"{word}{suffix}").write_text(
            f"# {word}\n" if suffix == ".md" else f"<title>{word}</title>"
        )
        (site / f"about-{word}{suffix}").write_text(" and ".join(link.format(one) for one in WORDS))
    for number in range(count):
        (site / f"page{number}{suffix}").write_bytes(mutated(suffix, rng).encode())
    before = {path: path.read_bytes() for path in site.iterdir()}
    graph = wr.build([site], folder / f"{suffix[1:]}.graph")
    finder = MentionFinder(graph.store, folder_of(graph.store))
    writer = LinkWriter(finder.corpus)
    edits = []
    for one in finder.ranked:
        place = finder.place(one.page, one.target)
        edit = place and writer.edit(place, one.page, one.target)
        if edit:
            edits.append(edit)
    changes = plan(finder.corpus, edits)
    apply(finder.corpus, changes)
    damaged = []
    for change in changes.files:
        old, new = (data.decode() for data in (change.old, (site / change.text.path).read_bytes()))
        (text, links), (new_text, new_links) = _view(old, suffix), _view(new, suffix)
        more = Counter(new_links) - Counter(links)
        if (
            text != new_text
            or Counter(links) - Counter(new_links)
            or more.total() != len(change.edits)
        ):
            damaged.append(change.text.path)
    undo(site)
    damaged += [path.name for path, data in before.items() if path.read_bytes() != data]
    graph.close()
    return damaged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    for suffix in MARKS:
        with tempfile.TemporaryDirectory() as folder:
            damaged = damaged_files(Path(folder), suffix, options.count, rng)
        print(f"{suffix}: {options.count:,} files, {len(damaged)} damaged {damaged[:5]}")


if __name__ == "__main__":
    main()
