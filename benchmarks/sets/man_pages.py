"""Man pages: references in the text, and separately those under SEE ALSO.

    python -m benchmarks.sets.man_pages OUT NAME FOLDER... [--title "Man pages"] [--suffix ssl]
        [--without ssl,erl] [--words]

FOLDER holds man1, man2 and so on.  Other names of a page (links, `.so`) count as that page.
With --words, a page name without a section is a reference, too.
"""

from __future__ import annotations

import argparse
import gzip
import re
from pathlib import Path

from benchmarks.sets import collection

REFERENCE = re.compile(r"([A-Za-z_][\w.:+@-]*)\s?\((\d\w{0,9})\)")
WORD = re.compile(r"[A-Za-z_][\w.+-]*\w")
SECTION = re.compile(r"[.'](?:SH|Sh|SS)\s+(.*)")
NAME = re.compile(r"(.+?)\.(\d\w*)(?:\.gz)?")
FONTS = {"BR", "IR", "RB", "RI", "BI", "IB"}


def sources(folders: list[Path], suffix: str, without: list[str]) -> dict[Path, str]:
    """The files by resolved path, each with a name such as man2/open.2."""
    found = {}
    for folder in folders:
        for file in sorted(folder.glob("man*/*")):
            named = NAME.fullmatch(file.name)
            if not named or (suffix and not named[2].endswith(suffix)):
                continue
            if any(named[2].endswith(end) for end in without):
                continue
            found[file.absolute()] = f"man{named[2][0]}/{named[1]}.{named[2]}"
    return found


def text_of(file: Path) -> str:
    content = file.read_bytes()
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    return content.decode("utf-8", "replace")


def plain(line: str) -> str:
    """A line of roff as a reader would see it, as far as references need."""
    macro = re.match(r"[.']\s*(\w+)\s+(.*)", line)
    if macro:
        parts = re.findall(r'"([^"]*)"|(\S+)', macro[2])
        words = [quoted or bare for quoted, bare in parts]
        if macro[1] == "Xr" and len(words) > 1:
            line = f"{words[0]}({words[1]})"
        elif macro[1] in FONTS:
            line = "".join(words)
        elif macro[1].startswith(("\\", '"')):
            return ""
        else:
            line = " ".join(words)
    elif line.startswith((".", "'")):
        return ""
    line = re.sub(
        r"\\f(\[\w*\]|\(..|.)|\\m\[\w*\]|\\s[-+]?\d|\\[&%:/,|^]|\\\*\(..|\\\*\[[^]]*\]", "", line
    )
    return line.replace("\\-", "-").replace("\\ ", " ").replace("\\(hy", "-")


def read(
    folders: list[Path], title: str, suffix: str, without: list[str], words: bool = False
) -> collection.Set:
    files = sources([folder.resolve() for folder in folders], suffix, without)
    alias: dict[str, str] = {}
    texts: dict[str, str] = {}
    first: dict[str, str] = {}
    for file, name in files.items():
        if not file.exists():
            continue
        real = file.resolve()
        own = files.get(real)
        text = text_of(real)
        so = re.match(r"(?:[.']\\\".*\n)*\.so\s+(?:\S*/)?(man\w+/\S+)", text)
        if so:
            alias[name] = so[1].removesuffix(".gz")
        elif own and own != name:
            alias[name] = own
        elif text in first:  # a copy under another name
            alias[name] = first[text]
        else:
            texts[name] = text
            first[text] = name
    numbers: dict[str, str] = {}
    for name in [*alias, *texts]:
        target, seen = name, set()
        while target in alias and target not in seen:
            seen.add(target)
            target = alias[target]
        if target in texts:
            stem, _, section = name.partition("/")[2].rpartition(".")
            numbers[f"{stem}({section})"] = target
            numbers.setdefault(f"{stem}({section[0]})", target)
            numbers.setdefault(
                f"{stem.split('.')[0]}({section[0]})" if "openmpi" in stem.lower() else "", target
            )
    bare = {reference.partition("(")[0]: page for reference, page in numbers.items()}
    links, gold, titles, said = {}, {}, {}, {}
    for name, text in texts.items():
        body, listed, heading, lines = [], [], "", []
        for line in text.splitlines():
            if section := SECTION.match(line):
                if line[1:3] in ("SH", "Sh") or not is_see_also(heading):
                    heading = section[1]
                continue
            if words:
                found = [bare.get(word) for word in WORD.findall(plain(line))]
            else:
                found = [
                    numbers.get(f"{n}({s})", numbers.get(f"{n}({s[0]})"))
                    for n, s in REFERENCE.findall(plain(line))
                ]
            (listed if is_see_also(heading) else body).extend(filter(None, found))
            if not is_see_also(heading):
                lines.append(plain(line))
        links[name] = body
        if listed:
            gold[name] = listed
        titles[name] = described(text)
        said[name] = " ".join(lines)
    return collection.Set(title, "manual", links, gold, titles, said)


def is_see_also(heading: str) -> bool:
    return heading.strip(' "\\').lower().replace("\\ ", " ") in (
        "see also",
        "see also:",
        "related information",
        "related",
    )


def described(text: str) -> str:
    """The line under NAME."""
    if found := re.search(r"\.Nd\s+(.*)", text):
        return found[1]
    found = re.search(r"[.']SH\s+\"?NAME\"?\s*\n((?:.*\n){1,4})", text)
    if not found:
        return ""
    said = " ".join(
        plain(line) for line in found[1].splitlines() if not line.startswith((".SH", '.\\"'))
    )
    return said.partition(" - ")[2] or said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("name")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--title", default="Man pages")
    parser.add_argument("--suffix", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--words", action="store_true")
    asked = parser.parse_args()
    without = [end for end in asked.without.split(",") if end]
    one = read(asked.folders, asked.title, asked.suffix, without, asked.words)
    collection.write(asked.out / asked.name, one)


if __name__ == "__main__":
    main()
