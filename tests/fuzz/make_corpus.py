"""Write the corpus anew: a few small seeds for every reader, a graph, and lines for HTTP.

python -m tests.fuzz.make_corpus
"""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import whatsrelated
from tests.fuzz.run import CORPUS, STORE
from tests.hostile.graphs import build_small
from tests.sources.zim import Item, zim
from whatsrelated import Page

MATRIX = "%%MatrixMarket matrix coordinate"
TEXTS = {
    "columns/tab.tsv": "src\tdst\na\tb\nb\tc\n",
    "columns/comma.csv": 'a,"b"\n"c ""d""",e\n',
    "columns/numbers.txt": "# from to\n0 1\n1 2\n2 0\n",
    "rows/toronto.adj": "0: 1 2 -1\n1: 0 -1\n2: -1\n",
    "rows/bare.adj": "1 2\n\n0\n",
    "rows/sparse.adj": "SparseMatrix: 3 by 3\nrow 0: 1 -1\nrow 1: 2 -1\n",
    "kleinberg/graph.txt": "n 0 http://a/\nn 1 http://b/\ne 0 1\n",
    "jsonl/pages.jsonl": '{"url": "a", "links": ["b", "c"], "title": "A"}\n{"url": "b"}\n',
    "matrixmarket/general.mtx": f"{MATRIX} real general\n% c\n3 3 2\n1 2 0.5\n2 3 1\n",
    "matrixmarket/symmetric.mtx": f"{MATRIX} pattern symmetric\n2 2 1\n2 1\n",
    "gml/graph.gml": (
        'graph [ directed 1 node [ id 1 label "a" ] node [ id 2 ] edge [ source 1 target 2 ] ]'
    ),
    "wiki-sql/tables.sql": (
        "CREATE TABLE `pagelinks` (\n  `pl_from` int,\n  `pl_target_id` int\n);\n"
        "INSERT INTO `pagelinks` VALUES (1,11),(2,'x\\'');\n"
    ),
    "mediawiki/wiki.xml": (
        "<mediawiki><siteinfo><dbname>w</dbname><namespaces><namespace key='0'/></namespaces>"
        "</siteinfo><page><title>A</title><ns>0</ns><revision><text>{{Main|B}} [[b|c]]\n== See "
        "also ==\n[[D]] &lt;nowiki&gt;[[E]]&lt;/nowiki&gt;</text></revision></page><page>"
        "<title>D</title><ns>0</ns><redirect title='A'/></page></mediawiki>"
    ),
    "graphml/graph.graphml": (
        '<?xml version="1.0"?><graphml><key id="d" for="node" attr.name="url"/>'
        '<graph edgedefault="directed"><node id="a"><data key="d">x</data></node>'
        '<edge source="a" target="b"/></graph></graphml>'
    ),
    "wikispeedia/links.tsv": "# Article names are URL-encoded\nA\tB%20C\nB%20C\tA\n",
    "html/index.html": (
        "<!doctype html><title>Home</title><base href='/x/'><nav><a href=a.html>A</a></nav>"
        "<main><p>tea <a href='b.html' rel=nofollow>b</a><a href='https://c.org/'>c</a></main>"
    ),
    "markdown/index.md": (
        "---\ntitle: Home\naliases: [a, b]\n---\n# Tea\n[b](b.md) [[note|n]] <https://c.org/>\n"
    ),
}
HTTP = (
    "GET api/related?url=https://www.h3.org/3&by=cocitation&limit=5&seed=1&parents=10",
    "GET api/related?url=https://www.h3.org/3&by=companion&siblings=all&coparents=3&why=1",
    "GET api/related?url=https://www.h3.org/3&by=lli&gap=0.3&rank=2&only=re:(org|net)&without=*h4*",
    "GET api/related?url=https://www.h3.org/3&by=hubfinder&criterion=local&steps=1&stop=auto:3",
    "GET api/compare?url=https://www.h3.org/3&by=cpa,walk&limit=3&site=domain&chop=0",
    "GET api/similarity?url=https://www.h3.org/3&url=https://www.h4.org/4&by=simrank&decay=0.5",
    "GET api/pages?prefix=h1&limit=3",
    "GET api/links?url=https://www.h3.org/3&direction=in&limit=2&offset=1",
    "GET api/vicinity?url=https://www.h3.org/3&nodes=10&site=page",
    "GET api/rank?by=pagerank&top=3&damping=0.5&teleport=https://www.h3.org/3",
    "GET ranks?by=hits&top=5",
    "GET ?url=https://www.h3.org/3&by=blend&by=lli&limit=3&new=1",
    'POST api/related {"queries": [{"url": "https://www.h3.org/3", "limit": 2, "by": "cpa"}]}',
    'POST api/related {"queries": [{"url": ["https://www.h3.org/3"], "parents": 5, "why": true}]}',
)


def main() -> None:
    """Write every seed."""
    shutil.rmtree(CORPUS, ignore_errors=True)
    readers = CORPUS / "readers"
    for name, text in TEXTS.items():
        (readers / name).parent.mkdir(parents=True, exist_ok=True)
        (readers / name).write_text(text)
    (readers / "columns" / "packed.tsv.gz").write_bytes(gzip.compress(b"a\tb\n", mtime=0))
    write_bvgraph(readers / "bvgraph")
    write_arrays(readers / "npy")
    write_tables(readers / "parquet")
    (readers / "zim").mkdir()
    pages = Item("a", "<a href='b'>b</a>"), Item("b", "<a href='c'>c</a>"), Item("c", to="a")
    (readers / "zim" / "site.zim").write_bytes(zim(*pages))
    build_small(STORE, pages=60)
    (CORPUS / "http").mkdir()
    (CORPUS / "http" / "requests.txt").write_text("\n".join(HTTP) + "\n")


def write_bvgraph(folder: Path) -> None:
    """Two pages that link to each other, in WebGraph's codes."""
    folder.mkdir()
    properties = {
        "graphclass": "it.unimi.dsi.webgraph.BVGraph",
        "nodes": 2,
        "arcs": 0,
        "windowsize": 7,
        "minintervallength": 4,
        "zetak": 3,
        "compressionflags": "",
    }
    lines = "".join(f"{name}={value}\n" for name, value in properties.items())
    (folder / "two.properties").write_text(lines)
    (folder / "two.graph").write_bytes(b"\xc0")


def write_arrays(folder: Path) -> None:
    folder.mkdir()
    np.save(folder / "offsets.npy", np.array([0, 1, 2], np.uint64))
    np.save(folder / "links.npy", np.array([1, 0], np.uint32))
    (folder / "names.txt").write_text("a\nb\n")
    (folder / "titles.txt").write_text("A\n\n")


def write_tables(folder: Path) -> None:
    folder.mkdir()
    links = pa.table({"src": ["a", "b"], "dst": ["b", "c"]})
    parquet.write_table(links, folder / "links.parquet", compression="none")
    graph = whatsrelated.Graph.from_pages([Page("a", ["b"], title="A"), Page("b", ["a"])])
    pages = pa.table({"url": ["a", "b"], "links": [["b"], ["a"]], "title": ["A", None]})
    assert len(graph) == pages.num_rows
    parquet.write_table(pages, folder / "pages.parquet", compression="none")


if __name__ == "__main__":
    main()
