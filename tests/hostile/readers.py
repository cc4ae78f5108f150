"""Every reader, and files that repeat pieces of its own syntax.

python -m tests.hostile.readers NAME... reads files that are made of the seeds of these
formats, or of all, and prints those for which four times the length takes more than six times
the processor time.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from tests.fuzz.run import CORPUS, seeds, sources_of
from tests.hostile.growth import slow_text
from whatsrelated.errors import RelatedError
from whatsrelated.machine import workers
from whatsrelated.sources import READERS, open_sources
from whatsrelated.sources.reader import ReadOptions

SIZE = 4096
"""Bytes of the smaller text."""
MOST = 12
"""How many pieces of a seed are tried, besides those that are named here."""
ANYWHERE = (
    rb"""\x00 \n \t a \xff " ' < > ( [ { <!-- & ; , # / \\ 0 -1 : = @ ~ % | * ` ]]> <![CDATA["""
)
MARKDOWN = rb"""
[ ![ [[ ]( [a]( ![a]( [a](b) [[a]] [[a| [^1] [^1]:\n [a]:\n * ** *a a* _ __ _a_ ~~ ` `` ```
>\x20 -\x20 \n-\x20 \n>\x20 1.\x20 \x20\x20- |a |-\n # #\x20a\n a\n=\n a\n-\n < <a <a\x20 <!--
<? <![CDATA[ <a@b.c> http:// https://a\x20 &amp; &a \\ \\\n {#a} {{ {{< {% :: ---\n +++\n <div>
<a\x20href=' <a\x20href="x"> <p>\n
"""
HTML = rb"""
<a <a\x20 <a\x20href=x> <a\x20href=" <a\x20b=' <!-- <!-- --> <? <![CDATA[ </ </a> </p> <div> <p>
<b> <b><p> <a><b> <table> <table><tr><td> <td> <select><option> <option> <svg> <math> <svg><a>
<template> <nobr> <font> <h1> <h1><a\x20href=x> <script> <style> <title> <textarea> <base>
<base\x20href=x> <meta> <link> <nav> <frameset> <li> <dl> <ul><li> <button> <form> <input> & &#
&#x &amp &notin; <a\x20a\x20 a=b\x20 <x\x20a=" \x20= <section><h2>See\x20also</h2>
"""
WIKI = rb"""
[[ ]] [[a| [[a]] {{ }} {{{ }}} {{a| {{a}} {{Main| == ==a==\n =\n <ref> <ref <nowiki> <nowiki/>
<!-- --> {| |} |-\n || ! !! ' '' ''' ''''' * # : ; http:// [http:// [http://a\x20 ~~~~ __TOC__
-{ }- &amp; &lt; &lt;nowiki&gt; &lt;ref&gt; &lt;!-- %% << <<a, xref: link: `a :doc:` :ref:`a
..\x20toctree::\n <code <code> [ext[ <$link\x20 [[file: [[id: #+ :ID:
"""
SYNTAX = {
    "html": HTML,
    "warc": HTML,
    "zim": HTML,
    "bookmarks": HTML,
    "mediawiki": WIKI,
    **dict.fromkeys(("dokuwiki", "tiddlywiki", "rst", "asciidoc", "org"), WIKI),
    **dict.fromkeys(("markdown", "obsidian", "hugo", "mdn", "jekyll", "logseq"), MARKDOWN),
}


def named(text: bytes) -> list[bytes]:
    """Pieces between blanks, with the escapes of Python."""
    return [word.decode("unicode_escape").encode("latin-1") for word in text.split()]


def pieces(reader: str, seed: bytes) -> list[bytes]:
    """Tags, lines, and one to four words or marks that follow one another in a seed."""
    tokens = re.findall(rb"\w+|[ \t]+|[^\w \t]", seed)
    found = [*re.findall(rb"<[^<>]*>", seed), *re.findall(rb"[^\n]+\n", seed)]
    for length in (1, 2, 3, 4):
        found += [b"".join(tokens[at : at + length]) for at in range(len(tokens) - length + 1)]
    distinct = list(dict.fromkeys(piece for piece in found if not re.fullmatch(rb"\w+", piece)))
    own = distinct[:: -(-len(distinct) // MOST) or 1]
    return list(dict.fromkeys([*named(SYNTAX.get(reader, b"")), *named(ANYWHERE), *own]))


def texts(reader: str, seed: bytes) -> Iterator[Callable[[int], bytes]]:
    """Files of any size: a piece again and again, alone or where it is in the seed."""
    for piece in pieces(reader, seed):
        place = seed.find(piece) if piece in seed else len(seed) * 2 // 3
        for before, after in {(b"", b""), (seed[:place], b""), (seed[:place], seed[place:])}:
            yield partial(_repeated, before, piece, after)


def _repeated(before: bytes, piece: bytes, after: bytes, size: int) -> bytes:
    return before + piece * (size // len(piece)) + after


def reading(reader: str, path: str, folder: Path) -> Callable[[bytes], None]:
    """What reads a text in the place of a seed, in this process."""
    shutil.copytree(CORPUS / "readers" / reader, folder)
    sources = sources_of(reader, folder, path)

    def read(text: bytes) -> None:
        (folder / path).write_bytes(text)
        for format in (None, reader):
            try:
                source = open_sources(sources, ReadOptions(format=format))
                if format is not None:
                    for _ in source:
                        pass
            except RelatedError:
                pass

    return read


def in_this_process(
    work: workers.Work, items: Iterator[str], **_: object
) -> Iterator[tuple[str, bytes | workers.Lost]]:
    """What workers answer, without them: their time is that of another process."""
    return ((item, workers._answer(work, item)) for item in items)


def slow_texts(place: Path, readers: Iterable[str] = (), every: int = 1) -> Iterator[str]:
    """The texts whose cost grows faster than their length, of every so many; call it once."""
    for reader in readers or READERS.ours:
        for name in seeds(f"readers/{reader}"):
            read = reading(reader, name, place / reader / name)
            seed = (CORPUS / "readers" / reader / name).read_bytes()
            for text in islice(texts(reader, seed), 0, None, every):
                slow = slow_text(text, read, SIZE)
                if slow:
                    yield f"{reader}/{name}: {slow}"


def main(*readers: str) -> int:
    workers.results = in_this_process  # type: ignore[assignment]
    slow = 0
    with tempfile.TemporaryDirectory() as place:
        for text in slow_texts(Path(place), readers):
            slow += 1
            print(text, flush=True)
    print(f"{slow} slow")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
