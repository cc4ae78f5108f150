"""Perl's documentation: L<> in the text, and separately those under SEE ALSO.

python -m benchmarks.sets.pods OUT FOLDER... [--name perl]        (folders of .pod and .pm files)
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from benchmarks.sets import collection

LINK = re.compile(
    r"L<(?:<+\s)?(?:[^|<>]*(?:[A-Z]<[^<>]*>[^|<>]*)*\|)?([A-Za-z][\w:]*)(?:/[^<>]*)?(?:\s>+)?>"
)

MARKUP = re.compile(r"^=\w+|\b[A-Z]<+|>", re.MULTILINE)


def read(folders: list[Path]) -> collection.Set:
    texts, titles = {}, {}
    for folder in folders:
        for file in sorted([*folder.rglob("*.pod"), *folder.rglob("*.pm")]):
            text = file.read_text("utf-8", "replace")
            pod = "\n".join(re.findall(r"^=(?!cut)[\s\S]*?(?=^=cut|\Z)", text, re.MULTILINE))
            named = re.search(
                r"^=head1 NAME\s*\n+(?:[A-Z]<)?([\w:]+)>?\s+-+\s*(.*)", pod, re.MULTILINE
            )
            if named and len(pod) > len(texts.get(named[1], "")):
                texts[named[1]] = pod
                titles[named[1]] = named[2]
    links, gold, said = {}, {}, {}
    for name, pod in texts.items():
        parts = re.split(r"^=head1\s+(.*)$", pod, flags=re.MULTILINE)
        body, listed, kept_text = LINK.findall(parts[0]), [], [parts[0]]
        for heading, text in zip(parts[1::2], parts[2::2], strict=True):
            see_also = heading.strip().lower() in ("see also", "see also:")
            (listed if see_also else body).extend(LINK.findall(text))
            if not see_also:
                kept_text += [heading, text]
        links[name] = [target for target in body if target in texts]
        said[name] = MARKUP.sub(" ", " ".join(kept_text))
        if kept := [target for target in listed if target in texts]:
            gold[name] = kept
    return collection.Set("Perl's documentation", "manual", links, gold, titles, said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--name", default="perl")
    asked = parser.parse_args()
    one = read(asked.folders)
    collection.write(asked.out / asked.name, one)


if __name__ == "__main__":
    main()
