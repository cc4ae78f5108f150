"""XML in any encoding is read, or rejected with a sentence, by every reader of XML."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.run import CORPUS
from whatsrelated.errors import ReadError
from whatsrelated.sources import open_sources
from whatsrelated.sources.files import File
from whatsrelated.sources.reader import ReadOptions
from whatsrelated.sources.xml import parse

SEEDS = {
    "graphml": "graph.graphml",
    "gexf": "small.gexf",
    "opml": "small.opml",
    "sitemap": "small.xml",
}


class Texts:
    """Collects the text of a document."""

    def __init__(self) -> None:
        self.found = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Nothing is wanted of tags."""

    def end(self, tag: str) -> None:
        """Nothing is wanted of tags."""

    def text(self, text: str) -> None:
        self.found += text


def in_encoding(data: bytes, encoding: str) -> bytes:
    """A document that declares an encoding."""
    body = data.partition(b"?>")[2] if data.startswith(b"<?xml") else data
    return f'<?xml version="1.0" encoding="{encoding}"?>'.encode() + body


@pytest.mark.parametrize("encoding", ["x-unknown", "base64", "shift_jis", "utf-7", "undefined"])
@pytest.mark.parametrize("reader", SEEDS)
def test_an_encoding_that_is_not_supported_is_refused(
    tmp_path: Path, reader: str, encoding: str
) -> None:
    seed = (CORPUS / "readers" / reader / SEEDS[reader]).read_bytes()
    path = tmp_path / SEEDS[reader]
    path.write_bytes(in_encoding(seed, encoding))
    with pytest.raises(ReadError, match="which is not supported; convert it to UTF-8"):
        list(open_sources([path], ReadOptions(format=reader)))


@pytest.mark.parametrize("encoding", ["utf-8", "UTF-16", "iso-8859-1", "koi8-r", "windows-1252"])
def test_an_encoding_that_is_supported_is_read(tmp_path: Path, encoding: str) -> None:
    text = "чай" if encoding == "koi8-r" else "thé"
    path = tmp_path / "a.xml"
    path.write_bytes(f'<?xml version="1.0" encoding="{encoding}"?><a>{text}</a>'.encode(encoding))
    document = Texts()
    parse(File(path), document)
    assert document.found == text


def test_a_wiki_dump_is_utf_8_whatever_it_declares(tmp_path: Path) -> None:
    seed = (CORPUS / "readers" / "mediawiki" / "wiki.xml").read_bytes()
    path = tmp_path / "wiki.xml"
    path.write_bytes(in_encoding(seed, "x-unknown"))
    assert list(open_sources([path], ReadOptions(format="mediawiki")))
