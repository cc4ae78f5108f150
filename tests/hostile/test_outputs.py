"""Names and titles are untrusted, and harmless in our output.

Control characters drive terminals, bidirectional characters disguise a line, and
spreadsheets treat a cell that begins with `=` as a formula.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import socket
from pathlib import Path

import pytest
from lxml import etree

import whatsrelated
from tests.hostile.processes import Forks, served
from tests.waiting import PATIENCE
from whatsrelated import Page

ESCAPE = "\x1b]0;owned\x07\x1b[2J"
BIDI = "\u202egpj.exe\u2066\u2069\u200f\U000e0041"
FORMULA = '=HYPERLINK("https://evil.example","tea")'
FORMULAS = (FORMULA, "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1+1)", "\tmate")
TITLES = {
    "esc": f"tea{ESCAPE}",
    "bidi": f"tea{BIDI}",
    "line": "tea\u2028coffee\x85\x0b",
    "c1": "tea\x9b31m",
}
NAMES = ["=1+1", "@sum", "-2+3", f"b{BIDI}"]

BIDIRECTIONAL = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
CONTROLS = (*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u2028", "\u2029")
TAGS = map(chr, range(0xE0000, 0xE0080))
UNSAFE = frozenset([*BIDIRECTIONAL, *CONTROLS, *TAGS]) - {"\n", "\t"}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph with malicious names and titles."""
    place = tmp_path_factory.mktemp("outputs") / "web.graph"
    names = [*TITLES, *NAMES, *(f"f{i}" for i in range(len(FORMULAS)))]
    titles = [*TITLES.values(), *NAMES, *FORMULAS]
    pages = [Page(name, [], title=title) for name, title in zip(names, titles, strict=True)]
    pages += [Page(f"hub{i}", names, anchors=titles) for i in range(4)]
    whatsrelated.build(pages, place, urls="keep")
    assert len(whatsrelated.open(place)) == len(names) + 4
    return place


COMMANDS = {
    "to": ["to", "esc", "--by", "cocitation", "--limit", "20"],
    "why": ["to", "esc", "--by", "cocitation", "--limit", "20", "--why"],
    "csv": ["to", "esc", "--by", "cocitation", "--limit", "20", "--csv"],
    "json": ["to", "esc", "--by", "cocitation", "--limit", "20", "--json"],
    "rank csv": ["rank", "--by", "in-degree", "--csv"],
    "compare csv": ["compare", "esc", "--by", "cocitation,cpa", "--limit", "20", "--csv"],
    "similarity csv": ["similarity", "esc", "=1+1", "@sum", "--by", "cocitation", "--csv"],
    **{
        f"to {kind}": ["to", "esc", "--by", "cocitation", "--limit", "20", "--as", kind]
        for kind in ("rss", "bibtex", "json-ld")
    },
    "pages": ["pages", "tea"],
    "common": ["common", "esc", "bidi"],
    "path": ["path", "hub0", "esc"],
    "compare": ["compare", "esc", "--by", "cocitation,cpa"],
    "info": ["info"],
    "links": ["links", "hub0"],
    "links json": ["links", "hub0", "--json"],
    "rank": ["rank", "--by", "in-degree"],
    "export jsonl": ["export", "-o", "-", "--format", "jsonl"],
    "export edges": ["export", "-o", "-", "--format", "edges"],
    "export graphml": ["export", "-o", "-", "--format", "graphml"],
}
MACHINES = ("export jsonl", "export edges", "export graphml", "json", "links json")
"""For programs: exact, escaped if the format allows it, and never changed."""


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in MACHINES])
def test_no_control_and_no_bidirectional_character_reaches_a_person(
    name: str, graph: Path, forks: Forks, request: pytest.FixtureRequest
) -> None:
    done = forks.one(*COMMANDS[name], "-g", graph)
    assert done.status == 0, done
    assert {f"{ord(letter):04x}" for letter in done.out if letter in UNSAFE} == set()


def test_the_name_of_a_file_cannot_drive_a_terminal(tmp_path: Path, forks: Forks) -> None:
    site = tmp_path / f"site{ESCAPE}"
    site.mkdir()
    for name, link in zip("abcd", "bcda", strict=True):
        text = f"<title>kettle {name}</title><p>{ESCAPE}kettle {link}<a href={link}.html>x</a>"
        (site / f"{name}{ESCAPE}.html").write_text(text)
        (site / f"{name}.html").write_text(text)
    forks.one("build", site, "-o", "web.graph", cwd=tmp_path, seconds=60)
    commands = [
        ["build", site, "--dry-run"],
        ["info", "-g", "web.graph"],
        ["site", site, "--check"],
        ["gaps", site],
        ["gaps", site, "--lint"],
        ["mentions", "a.html", site],
        ["diff", "web.graph", "web.graph", "--by", "cocitation"],
        ["check", "-g", "web.graph"],
    ]
    for words, done in zip(commands, forks.run(*commands, cwd=tmp_path, seconds=60), strict=True):
        assert done.status in (0, 1), (words, done)
        assert not set(done.out + done.err) & UNSAFE, (words, done)


def test_a_published_site_has_no_control_and_no_script_of_a_title(
    graph: Path, tmp_path: Path, forks: Forks
) -> None:
    done = forks.one("publish", graph, "-o", tmp_path / "site", "--by", "cocitation", seconds=60)
    assert done.status == 0, done
    files = [file for file in (tmp_path / "site").rglob("*") if file.is_file()]
    texts = [file.read_text(encoding="utf-8") for file in files if file.parent.name != "static"]
    assert {f"{ord(letter):04x}" for letter in "".join(texts) if letter in UNSAFE} == set()
    assert any("gpj.exe" in text for text in texts)


REPORTS = {
    "gaps": ["gaps", "{graph}"],
    "evaluate": ["evaluate", "{graph}", "--queries", "{gold}", "--by", "cpa,cocitation"],
    "diff": ["diff", "sample", "{graph}", "--limit", "99"],
}


@pytest.mark.parametrize("verb", REPORTS)
def test_a_report_shows_no_control_bidirectional_or_tag_character_and_loads_nothing(
    verb: str, graph: Path, tmp_path: Path, forks: Forks
) -> None:
    page, gold = tmp_path / "report.html", tmp_path / "gold.tsv"
    gold.write_text(f"b{BIDI}\tesc\n", encoding="utf-8")
    words = [word.format(graph=graph, gold=gold) for word in REPORTS[verb]]
    done = forks.one(*words, "--report", page)
    assert done.status == 0, done
    text = page.read_text(encoding="utf-8")
    assert "gpj.exe" in text
    assert {f"{ord(letter):04x}" for letter in text if letter in UNSAFE} == set()
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '" in text


@pytest.mark.parametrize("name", [name for name in COMMANDS if name.endswith("csv")])
def test_no_cell_is_a_formula(
    name: str, graph: Path, forks: Forks, request: pytest.FixtureRequest
) -> None:
    done = forks.one(*COMMANDS[name], "-g", graph)
    cells = [cell for row in csv.reader(io.StringIO(done.out)) for cell in row]
    numbers = [
        cell for cell in cells if cell.startswith("-") and cell[1:].replace(".", "").isdigit()
    ]
    led = [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert [cell for cell in led if cell not in numbers] == []


@pytest.mark.parametrize("name", ["json", "links json"])
def test_json_has_every_name_as_it_is_and_no_raw_control(
    name: str, graph: Path, forks: Forks, request: pytest.FixtureRequest
) -> None:
    done = forks.one(*COMMANDS[name], "-g", graph)
    json.loads(done.out)
    raw = {letter for letter in done.out if letter in UNSAFE}
    assert {f"{ord(letter):04x}" for letter in raw} == set()


@pytest.mark.parametrize("suffix", [".graphml", ".jsonl", ".parquet", ".npy"])
def test_an_export_can_be_read_back(
    suffix: str, graph: Path, tmp_path: Path, forks: Forks, request: pytest.FixtureRequest
) -> None:
    place = tmp_path / f"out{suffix}"
    more = ["--format", "npy"] if suffix == ".npy" else []
    written = forks.one("export", "-g", graph, "-o", place, *more)
    assert written.status == 0, written
    read = forks.one("build", place, "-o", tmp_path / "again.graph", "--urls", "keep")
    assert read.status == 0, read
    one, two = whatsrelated.open(graph), whatsrelated.open(tmp_path / "again.graph")
    told = [[(g.url(page), g.title(page)) for page in range(len(g))] for g in (one, two)]
    assert told[0] == told[1]


def test_pages_and_errors_over_http_have_no_control_character(graph: Path, tmp_path: Path) -> None:
    with served(graph, tmp_path / "log") as server:
        for path in ("/?url=esc&by=cocitation&limit=20", "/ranks?by=in-degree", "/?url=%1B%5B31m"):
            text = server.client.get(path).text
            found = {f"{ord(letter):04x}" for letter in text if letter in UNSAFE - {"\u200f"}}
            assert found <= {"202e", "2066", "2069"}, path
        assert "\x1b" not in server.log()


def test_a_title_on_the_page_cannot_reverse_the_text_after_it(graph: Path, tmp_path: Path) -> None:
    with served(graph, tmp_path / "log") as server:
        text = server.client.get("/?url=esc&by=cocitation&limit=20").text
        assert not {"\u202e", "\u2066"} & set(text) or "<bdi>" in text


MALFORMED = [
    b"\x00\x01\x02\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET  /  HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /api/related HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
    b"Content-Type: application/json\r\n\r\n5\r\n{}\r\nzz\r\n",
    b"GET /%ff%fe?url=%ff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /api/related?url=\xf0\x9f HTTP/1.1\r\nHost: \xff\r\n\r\n",
    b"GET //[ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET http://[::1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET http://x:99999999/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"CONNECT x:99999999 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\nx",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"POST /api/related HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: 2\r\n\r\n\xff\xfe",
    b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic \xff\xff\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
]


def test_malformed_requests_leave_no_traceback_in_the_log(tmp_path: Path) -> None:
    with served("sample", tmp_path / "log", "--patience", "0.5") as server:
        for request in MALFORMED:
            for rest in (b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"\xff" * 20):
                with socket.create_connection(server.address, timeout=PATIENCE) as connection:
                    connection.sendall(request + rest)
                    connection.settimeout(0.02)
                    with contextlib.suppress(TimeoutError, ConnectionError):
                        connection.recv(65536)
        assert server.client.get("/api/health").status_code == 200
        assert "Traceback" not in server.log()


DRAWN = {"svg", "g", "rect", "line", "circle", "path", "text", "tspan", "title", "a", "style"}
"""Elements of SVG that run nothing and load nothing."""
PLOTTED = {"defs", "clipPath", "use", "image", "metadata", "RDF", "Work", "type", "date", "format"}
PLOTTED |= {"creator", "Agent", "polygon"}
"""What Matplotlib adds: shapes to use again, bitmaps in the file, and its name and the date."""
SHOWN = ("http:", "https:", "./", "#", "data:image/png;")
"""How links in a drawing begin."""


def check_drawing(data: bytes) -> None:
    """The drawing is XML, runs and loads nothing, and shows no harmful character."""
    drawing = etree.fromstring(data)
    elements = list(drawing.iter("*"))
    assert {etree.QName(element).localname for element in elements} <= DRAWN | PLOTTED
    for element in elements:
        for name, value in element.attrib.items():
            assert not name.startswith("on"), name
            linked = etree.QName(name).localname != "href" or value.startswith(SHOWN)
            assert linked, value
    text = data.decode()
    assert {f"{ord(letter):04x}" for letter in text if letter in UNSAFE} == set()


def test_drawings_to_download_run_nothing_and_json_has_no_raw_control(
    graph: Path, tmp_path: Path
) -> None:
    with served(graph, tmp_path / "log") as server:
        for query in ("url=esc&limit=20", "url=bidi&limit=20&view=hubs", "url=%3D1%2B1"):
            answer = server.client.get(f"/picture.svg?by=cocitation&{query}")
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-disposition"].startswith("attachment")
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            check_drawing(answer.content)
        for path in ("related?", "picture?", "vicinity?", "links?", "compare?by=cpa,walk&"):
            answer = server.client.get(f"/api/{path}url=esc")
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"
            answer.json()
            assert {f"{ord(each):04x}" for each in answer.text if each in UNSAFE} == set()


PICTURES = {
    "similarity": ["similarity", "esc", "bidi", "=1+1", "@sum", "--by", "cocitation"],
    "rank": ["rank", "--compare", "pagerank,hits"],
}


@pytest.mark.parametrize("verb", PICTURES)
def test_a_drawing_in_a_file_runs_nothing(
    verb: str, graph: Path, tmp_path: Path, forks: Forks
) -> None:
    done = forks.one(*PICTURES[verb], "-g", graph, "--picture", tmp_path / "out.svg")
    assert done.status == 0, done
    check_drawing((tmp_path / "out.svg").read_bytes())
