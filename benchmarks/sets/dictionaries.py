"""Dictionaries of the DICT protocol: {links} of an entry, and separately its "See also {…}".

    python -m benchmarks.sets.dictionaries OUT FOLDER

FOLDER holds foldoc.dict.dz and jargon.dict.dz, or gcide.dict.dz.
"""

from __future__ import annotations

import argparse
import gzip
import re
from pathlib import Path

from benchmarks.sets import collection

LINK = re.compile(r"\{([^{}]+)\}")
SENTENCE = re.compile(
    r"(?:\bsee also\b|\bcompare\b|\bcf\.|\bcontrast\b):?\s*"
    r"((?:[^.{}]|\{[^{}]*\})*\{[^{}]*\}(?:[^.{}]|\{[^{}]*\})*)",
    re.IGNORECASE,
)
TITLES = {
    "foldoc": "A dictionary of computing",
    "jargon": "The Jargon File",
    "gcide": "Webster's dictionary",
}


def entries(text: str) -> dict[str, str]:
    """The entries by headword, which starts a line."""
    found: dict[str, str] = {}
    for block in re.split(r"\n(?=\S)", text):
        head, _, body = block.partition("\n")
        head = " ".join(head.partition(" \\")[0].split())
        if head.strip() and body.strip() and not head.startswith("00-database"):
            found[head.strip()] = found.get(head.strip(), "") + "\n" + body
    return found


def read(file: Path, title: str) -> collection.Set:
    texts = entries(gzip.decompress(file.read_bytes()).decode("utf-8", "replace"))
    lower = {name.lower(): name for name in texts}

    def named(links: list[str]) -> list[str]:
        keys = (re.sub(r"\s+", " ", link).strip().lower() for link in links)
        return [lower[key] for key in keys if key in lower]

    links, gold = {}, {}
    for name, text in texts.items():
        listed = [link for said in SENTENCE.findall(text) for link in LINK.findall(said)]
        links[name] = named(LINK.findall(SENTENCE.sub(" ", text)))
        if kept := named(listed):
            gold[name] = kept
    said = {name: SENTENCE.sub(" ", text) for name, text in texts.items()}
    return collection.Set(title, "encyclopaedia", links, gold, texts=said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    for name, title in TITLES.items():
        file = asked.folder / f"{name}.dict.dz"
        if not file.exists():
            continue
        one = read(file, title)
        collection.write(asked.out / name, one)


if __name__ == "__main__":
    main()
