"""Help pages in Mallard: the links of the text, and separately those marked `seealso`.

    python -m benchmarks.sets.mallard OUT NAME FOLDER... [--title "GNOME's help"]

FOLDER holds the `.page` files of one document.  A guide lists the pages that name it as their
guide, in alphabetical order, after the links of its text.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lxml import etree

from benchmarks.sets import collection

SPACE = "{http://projectmallard.org/1.0/}"


def read(folders: list[Path], title: str) -> collection.Set:
    links: dict[str, list[str]] = {}
    gold: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    listed: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for folder in folders:
        for file in sorted(folder.glob("*.page")):
            tree = etree.parse(file, etree.XMLParser(recover=True, no_network=True)).getroot()
            page = f"{folder.name}/{file.stem}"
            titles[page] = "".join(tree.find(f"{SPACE}title").itertext())
            links[page] = []
            texts[page] = " ".join(tree.itertext())
            for link in tree.iter(f"{SPACE}link"):
                target = (link.get("xref") or "").partition("#")[0]
                if not target:
                    continue
                target, kind = f"{folder.name}/{target}", link.get("type")
                if kind == "guide":
                    listed.setdefault(target, []).append(page)
                else:
                    into = gold.setdefault(page, []) if kind == "seealso" else links[page]
                    into.append(target)
    links = {page: [*own, *listed.get(page, [])] for page, own in links.items()}
    return collection.Set(
        title,
        "manual",
        {page: [other for other in own if other in links] for page, own in links.items()},
        {page: kept for page, own in gold.items() if (kept := [p for p in own if p in links])},
        titles,
        texts,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("name")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--title", default="GNOME's help")
    asked = parser.parse_args()
    one = read(asked.folders, asked.title)
    collection.write(asked.out / asked.name, one)


if __name__ == "__main__":
    main()
