"""No reader drops anything in silence: what it reads, rejects and leaves out adds up to the file.

Each seed of the fuzzer is counted a second time, by a parser that is not ours wherever there is
one, and by hand otherwise. A count has one unit for every distinct link to another page, and one
for every item that must be rejected or left out.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any
from urllib.parse import urljoin
from xml.etree import ElementTree

import bibtexparser
import html5lib
import mwparserfromhell
import networkx as nx
import numpy as np
import pytest
import rdflib
import rispy
import scipy.io
from markdown_it import MarkdownIt
from pyarrow import parquet
from warcio.archiveiterator import ArchiveIterator

from tests.fuzz.run import CORPUS, seeds, sources_of
from tests.sources import links_of, read
from whatsrelated.options import declared_options
from whatsrelated.sources import READERS

Pairs = Iterable[tuple[Any, Any]]


def distinct(pairs: Pairs) -> int:
    """The number of distinct links between different pages."""
    return len({(str(source), str(target)) for source, target in pairs if source != target})


def edges(graph: Any) -> int:
    """The links of a graph that networkx has read; an undirected edge is two."""
    return distinct(graph.to_directed().edges())


def gml(path: Path) -> int:
    return edges(nx.read_gml(path, label="id"))


def node_link(path: Path) -> int:
    return edges(nx.node_link_graph(json.loads(path.read_text()), directed=True, edges="links"))


def columns(path: Path) -> int:
    """The rows below a table's header; those of our seeds are all different."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = data.decode("utf-16" if data.startswith(b"\xff\xfe") else "utf-8-sig")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    header = next((line for line in lines if len(re.split("[,;\t]", line)) > 1), " ")
    delimiter = next((mark for mark in "\t;," if mark in header), " ")
    rows = [row for row in csv.reader(lines, delimiter=delimiter) if len(row) > 1]
    named = {name.lower() for name in rows[0]} & {"src", "source", "quelle", "origen", "origine"}
    urls = {"source url", "referring url", "referring page url", "origin", "citing"}
    return len(rows) - bool(named or urls & {name.lower() for name in rows[0]})


def matrix(path: Path) -> int:
    entries = scipy.io.mmread(path).tocoo()
    return distinct(zip(entries.row, entries.col, strict=True))


def triples(path: Path) -> int:
    graph = rdflib.Graph().parse(path, format="nt")
    ends = [(first, other) for first, _, other in graph if not isinstance(other, rdflib.Literal)]
    nodes = [pair for pair in ends if not any(isinstance(end, rdflib.BNode) for end in pair)]
    return distinct(nodes) + len(ends) - len(nodes)


def hrefs(html: str) -> list[str]:
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    return [a.get("href") for a in tree.iter("a") if a.get("href")]


def html(path: Path) -> int:
    return distinct(
        ("page", href) for file in path.rglob("*.html") for href in hrefs(read_of(file))
    )


def read_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def bookmarks(path: Path) -> int:
    return len(hrefs(read_of(path))) + len(re.findall("<H3>", read_of(path)))


def opml(path: Path) -> int:
    return sum(1 for _ in ElementTree.parse(path).iter("outline"))


def sitemap(path: Path) -> int:
    return sum(element.tag.endswith("}loc") for element in ElementTree.parse(path).iter())


def post_links(path: Path) -> int:
    rows = ElementTree.parse(path).iter("row")
    return distinct((row.get("PostId"), row.get("RelatedPostId")) for row in rows)


CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"


def wordpress(path: Path) -> int:
    count = 0
    for item in ElementTree.parse(path).iter("item"):
        texts = {element.tag.rpartition("}")[2]: element.text or "" for element in item}
        is_page = texts.get("status") == "publish" and texts.get("link")
        links = hrefs(item.findtext(CONTENT, "")) if is_page else ["one item"]
        count += distinct((texts.get("link"), link) for link in links)
    return count


def ghost(path: Path) -> int:
    posts = json.loads(read_of(path))["db"][0]["data"]["posts"]
    return sum(len(hrefs(post["html"])) if post["status"] == "published" else 1 for post in posts)


def json_values(path: Path) -> list[Any]:
    """The values of JSON, or of JSON Lines."""
    try:
        value = json.loads(read_of(path))
    except json.JSONDecodeError:
        return [json.loads(line) for line in read_of(path).splitlines()]
    return value if isinstance(value, list) else [value]


def json_pages(path: Path) -> int:
    pages = json_values(path)
    return distinct((page["url"], link) for page in pages for link in page.get("links", ()))


def works(path: Path) -> int:
    """References, with or without an identifier."""
    if path.suffix == ".txt":
        return read_of(path).count("#%")
    items = json_values(path)
    items = items[0].get("message", items[0]).get("items", items[0].get("results", items))
    keys = ("reference", "references", "referenced_works", "outCitations")
    lists = [one.get(key, ()) for one in items for key in keys]
    return sum(map(len, lists)) + sum(
        one.get("cited", one.get("citedcorpusid")) is not None for one in items
    )


def bibliography(path: Path) -> int:
    if path.suffix == ".json":
        return len(json.loads(read_of(path)))
    if path.suffix == ".ris":
        return len(rispy.loads(read_of(path)))
    library = bibtexparser.parse_string(read_of(path))
    return len(library.entries) + len(library.failed_blocks)


def wikitext(path: Path) -> int:
    pages = list(ElementTree.parse(path).iter("page"))
    redirects = {page.findtext("title"): page.find("redirect") for page in pages}
    finals = {title: to.get("title") for title, to in redirects.items() if to is not None}
    count = len(finals)
    for page in pages:
        code = mwparserfromhell.parse(page.findtext("revision/text", ""))
        titles = [str(link.title).capitalize() for link in code.filter_wikilinks()]
        titles += [str(one.params[0]) for one in code.filter_templates() if one.name == "Main"]
        count += distinct((page.findtext("title"), finals.get(title, title)) for title in titles)
    return count


def archive(path: Path) -> int:
    if path.suffix != ".wacz":
        return records([path.open("rb")])
    with zipfile.ZipFile(path) as packed:
        names = [name for name in packed.namelist() if name.startswith("archive/")]
        return records(map(packed.open, names))


def records(files: Iterable[IO[bytes]]) -> int:
    """The links of all captures, and the records that are not responses."""
    pairs: list[tuple[str, str]] = []
    others = 0
    for file in files:
        with file:
            for record in ArchiveIterator(file, arc2warc=True):
                url = record.rec_headers.get_header("WARC-Target-URI")
                body = record.content_stream().read().decode()
                others += record.rec_type != "response"
                pairs += [(url, urljoin(url, href)) for href in hrefs(body)] if url else []
    return distinct(pairs) + others


def archives(path: Path) -> int:
    return sum(map(archive, path.rglob("*.warc")))


def database(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        (table,) = connection.execute("SELECT name FROM sqlite_master LIMIT 1").fetchone()
        return distinct(connection.execute(f"SELECT * FROM {table}"))


def table(path: Path) -> int:
    rows = parquet.read_table(path).to_pylist()
    if "links" in rows[0]:
        return distinct((row["url"], link) for row in rows for link in row["links"])
    return distinct((row["src"], row["dst"]) for row in rows)


def arrays(path: Path) -> int:
    offsets, links = np.load(path / "offsets.npy"), np.load(path / "links.npy")
    return distinct(
        zip(
            np.repeat(np.arange(len(offsets) - 1), np.diff(offsets).astype(int)), links, strict=True
        )
    )


def markdown(path: Path) -> int:
    """Links as CommonMark has them, and `[[wikilinks]]`."""
    pairs = set()
    for file in path.rglob("*.md*"):
        text = re.sub(r"\A(---|\+\+\+)\n.*?\n\1\n", "", read_of(file), flags=re.S)
        tokens = [one for token in MarkdownIt().parse(text) for one in token.children or ()]
        targets = [str(one.attrs["href"]) for one in tokens if one.type == "link_open"]
        targets += re.findall(r"\[\[([^\]|]+)", text)
        pairs |= {(file, re.sub(r"\.mdx?$|#.*$", "", target)) for target in targets}
    return distinct(pairs)


COUNTERS: dict[str, Callable[[Path], int]] = {
    "bibliography": bibliography,
    "bookmarks": bookmarks,
    "columns": columns,
    "docusaurus": markdown,
    "foam": markdown,
    "gexf": lambda path: edges(nx.read_gexf(path, version="1.2draft")),
    "ghost": ghost,
    "gml": gml,
    "graphml": lambda path: edges(nx.read_graphml(path)),
    "html": html,
    "jsonl": json_pages,
    "markdown": markdown,
    "matrixmarket": matrix,
    "mediawiki": wikitext,
    "node-link": node_link,
    "notion": markdown,
    "npy": arrays,
    "ntriples": triples,
    "nuxt": markdown,
    "obsidian": markdown,
    "opml": opml,
    "parquet": table,
    "sitemap": sitemap,
    "sqlite": database,
    "stack-exchange": post_links,
    "warc": archive,
    "warcs": archives,
    "wikispeedia": columns,
    "wordpress": wordpress,
    "works": works,
}
"""A count by a parser of somebody else, for each format that has one."""

BY_HAND = {
    "asciidoc": 3,
    "astro": 2,
    "bvgraph/two.graph": 0,
    "bvgraph/two.properties": 0,
    "confluence": 8,  # four links, two others, an older version and a page without a title
    "discourse": 8,  # three links, four rows that are not links, and a private message
    "dokuwiki": 4,
    "dot": 4,
    "gemini": 6,
    "github-wiki": 8,  # seven links and a sidebar
    "hugo": 3,
    "jekyll": 2,
    "joplin": 6,  # three links, one to an attachment, the attachment and a notebook
    "kleinberg": 1,
    "konect": 4,
    "konect/bipartite.txt": 3,
    "konect/symmetric.txt": 4,
    "logseq": 5,  # four links and a reference to a block that is not there
    "mdn": 4,
    "mkdocs": 1,  # the other leads to its own page
    "org": 3,
    "pajek": 5,
    "roam": 6,  # five links and a reference to a block that is not there
    "rows/bare.adj": 3,
    "rows/sparse.adj": 2,
    "rows/toronto.adj": 3,
    "rst": 3,
    "textbundle": 4,  # three links and a deleted note
    "tiddlywiki/small.html": 3,
    "tiddlywiki/small.json": 4,  # three links and a system tiddler
    "vitepress": 3,
    "warc/small.wat": 1,
    "wiki-sql": 3,  # two links and a redirect
    "zettlr": 5,
    "zim/site.zim": 3,  # two links and a redirect
}
"""Counts by hand, of a format's folder or of each of its files."""

NOT_UNITS = {
    "pages",
    "links",
    "links out of the folder",
    "links to missing pages",
    "links to a name shared by several pages",
}
"""Counts of what is also a link, or not a part of the file."""


def cases() -> list[str]:
    """Each file of the corpus, or the folder if its files are read together."""
    together = {"wiki-sql"}
    keys = (seed.split("/", 1) for seed in seeds("readers"))
    return sorted(
        {
            reader if READERS[reader].folders or reader in together else f"{reader}/{path}"
            for reader, path in keys
        }
    )


def accounted(reader: str, paths: list[Path]) -> int:
    """The links that a reader yields, and everything that it rejects or leaves out."""
    options = {"workers": 1} if "workers" in declared_options(READERS[reader]) else {}
    source = read(*paths, format=reader, options=options)
    links = distinct(links_of(source))
    others = sum(
        count
        for counts in source.counts.values()
        for what, count in counts.items()
        if what not in NOT_UNITS and (what != "works" or READERS[reader].only_titles)
    )
    return links + others + source.refused.total()


@pytest.mark.parametrize("case", cases())
def test_everything_in_a_file_is_read_rejected_or_left_out(case: str) -> None:
    reader, _, path = case.partition("/")
    folder = CORPUS / "readers" / reader
    paths = [folder / path] if path else sources_of(reader, folder, "")
    expected = BY_HAND.get(case, BY_HAND.get(reader))
    if expected is None:
        expected = COUNTERS[reader](paths[0])
    assert accounted(reader, paths) == expected


@pytest.mark.parametrize("reader", READERS.ours)
def test_every_format_has_a_count(reader: str) -> None:
    names = {case.partition("/")[0] for case in cases()}
    assert reader in names
    assert reader in COUNTERS or any(case.partition("/")[0] == reader for case in BY_HAND)
