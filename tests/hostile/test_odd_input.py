"""Every reader gives links or one sentence, whatever numbers, headers and tables a file has."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.hostile.processes import MIB, Forks

DIGITS = "9" * 5000
HEAD = "%%MatrixMarket matrix coordinate pattern general\n"

BVGRAPH = "graphclass=it.webgraph.BVGraph\nnodes={}\narcs=1\nwindowsize=1\nminintervallength=1\n"

TEXTS: dict[str, tuple[str, str, list[str]]] = {
    "columns of many digits": ("links.tsv", f"{DIGITS}\t1\n2\t3\n", []),
    "columns of odd digits": ("links.tsv", "²\t³\n1\t2\n", []),
    "columns by a number of many digits": ("links.tsv", "a\tb\n", ["--columns", f"{DIGITS},1"]),
    "columns by an odd number": ("links.tsv", "a\tb\n", ["--columns", "²,1"]),
    "matrix of many digits": ("m.mtx", f"{HEAD}{DIGITS} 2 1\n1 2\n", []),
    "matrix with many entries": ("m.mtx", f"{HEAD}2 2 {DIGITS}\n1 2\n", []),
    "matrix of odd digits": ("m.mtx", f"{HEAD}² ² ²\n1 2\n", []),
    "rows of many digits": ("r.adj", f"{DIGITS}: 1 -1\n1: 0 -1\n", []),
    "rows of odd digits": ("r.adj", "0: ² -1\n1: 0 -1\n", ["--format", "rows"]),
    "rows without a row": ("r.adj", "SparseMatrix: 3 by 3", []),
    "GML of many digits": (
        "g.gml",
        f"graph [ node [ id {DIGITS} ] edge [ source {DIGITS} target 1 ] ]",
        [],
    ),
    "GML of odd digits": ("g.gml", "graph [ node [ id ² ] edge [ source ² target 1 ] ]", []),
    "GML in brackets": ("g.gml", "graph " + "[ a " * 20000, []),
    "GraphML in elements": ("g.graphml", "<graphml>" + "<a>" * 20000, []),
    "JSON in brackets": ("j.jsonl", '{"url": "a", "links": ' + "[" * 100000 + "\n", []),
    "JSON of many digits": ("j.jsonl", f'{{"url": {DIGITS}, "links": []}}\n', []),
    "JSON of lone surrogates": ("j.jsonl", '{"url": "\\ud800", "links": ["\\udfff"]}\n', []),
    "Kleinberg of many digits": (
        "k.txt",
        f"n {DIGITS} http://a/\nn 1 http://b/\ne {DIGITS} 1\n",
        [],
    ),
    "Kleinberg of odd digits": (
        "k.txt",
        "n ² http://a/\nn 1 http://b/\ne ² 1\n",
        ["--format", "kleinberg"],
    ),
    "BVGraph of many digits": ("x.properties", BVGRAPH.format(DIGITS), []),
    "BVGraph of odd digits": ("x.properties", BVGRAPH.format("²"), []),
    "names of many digits": ("links.tsv", "0 1\n1 0\n", ["--names-file", "names"]),
    "names of odd digits": ("links.tsv", "0 1\n1 0\n", ["--names-file", "odd-names"]),
    "front matter in brackets": (
        "site/a.md",
        "---\ntitle: " + "[" * 5000 + "\n---\n[b](b.md)\n",
        [],
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_odd_numbers_and_depths_are_links_or_one_sentence(
    name: str, tmp_path: Path, forks: Forks, request: pytest.FixtureRequest
) -> None:
    file, text, more = TEXTS[name]
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text, "latin-1" if file == "x.properties" else "utf-8")
    (tmp_path / "x.graph").write_bytes(b"\x80")
    (tmp_path / "names").write_text(f"{DIGITS}\thttp://a/\n1\thttp://b/\n")
    (tmp_path / "odd-names").write_text("²\thttp://a/\n1\thttp://b/\n")
    source = file.partition("/")[0]
    words = ("build", source, "-o", "web.graph", "--memory", "128M", *more)
    done = forks.one(*words, cwd=tmp_path, memory=1536 * MIB)
    assert done.is_tidy, done
    assert done.status == 0 or done.is_refusal, done


def npy(head: str, data: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    """A `.npy` file with this header."""
    text = head.encode() + b"\n"
    return b"\x93NUMPY" + version + struct.pack("<H", len(text)) + text + data


def saved(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


SHAPE = "{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}"
HEADS: dict[str, bytes] = {
    "no head": b"\x93NUMPY",
    "another version": npy(SHAPE.format("<u8", "(3,)"), version=b"\x09\x00"),
    "a head that is code": npy("__import__('os').abort()"),
    "a head in brackets": npy("(" * 3000),
    "a head of many digits": npy(SHAPE.format("<u8", f"({DIGITS},)")),
    "a negative shape": npy(SHAPE.format("<u8", "(-3,)")),
    "a shape past memory": npy(SHAPE.format("<u8", "(4611686018427387904,)")),
    "a shape that is text": npy(SHAPE.format("<u8", "'abc'")),
    "no dimension": npy(SHAPE.format("<u8", "()"), bytes(8)),
    "a type that is none": npy(SHAPE.format("<q9", "(3,)"), bytes(24)),
    "a type of fields": npy(
        "{'descr': [('a', '<u8')], 'fortran_order': False, 'shape': (3,), }", bytes(24)
    ),
    "objects": saved(np.array([{}, 1, None], object)),
    "floats": saved(np.array([0.0, np.nan, np.inf])),
    "signed": saved(np.array([-1, -(2**62), 2**62])),
    "empty": saved(np.empty(0, np.uint64)),
    "a head without a key": npy("{'descr': '<u8', 'shape': (3,), }", bytes(24)),
}


@pytest.mark.parametrize("name", HEADS)
def test_an_odd_array_header_is_one_sentence(
    name: str, tmp_path: Path, forks: Forks, request: pytest.FixtureRequest
) -> None:
    good = {"offsets": saved(np.array([0, 1, 2], np.uint64)), "links": saved(np.array([1, 0]))}
    runs = []
    for which in ("offsets", "links"):
        folder = tmp_path / which
        folder.mkdir()
        (folder / "names.txt").write_text("a\nb\n")
        for array, data in {**good, which: HEADS[name]}.items():
            (folder / f"{array}.npy").write_bytes(data)
        words = ("build", folder, "-o", tmp_path / f"{which}.graph", "--memory", "128M")
        runs.append(forks.one(*words, memory=1536 * MIB))
    for done in runs:
        assert done.is_tidy, done
        assert done.is_refusal, done
        assert "Warning" not in done.err, done


def table(**columns: Any) -> Any:
    import pyarrow as pa

    return pa.table(columns)


def tables() -> dict[str, Callable[[], Any]]:
    """Unexpected tables."""
    import datetime

    import pyarrow as pa

    nested = pa.array([[["a"]], [["b"]]])
    return {
        "no columns": lambda: pa.table({}),
        "no rows": lambda: table(src=pa.array([], pa.string()), dst=pa.array([], pa.string())),
        "nulls": lambda: table(src=pa.nulls(2), dst=pa.nulls(2)),
        "one name twice": lambda: pa.table(
            [pa.array(["a"]), pa.array(["b"])], names=["src", "src"]
        ),
        "binary": lambda: table(src=pa.array([b"\xff"]), dst=pa.array([b"\x00"])),
        "dates": lambda: table(src=[datetime.date.today()], dst=[datetime.date.today()]),
        "decimals": lambda: table(
            src=pa.array([1], pa.decimal128(38, 0)), dst=pa.array([2], pa.decimal128(38, 0))
        ),
        "lists that are null": lambda: table(
            url=["a", "b"], links=pa.array([None, ["a"]], pa.list_(pa.string()))
        ),
        "lists of lists": lambda: table(url=["a", "b"], links=nested),
        "lists of numbers": lambda: table(url=["a", "b"], links=[[1], [2]]),
        "lists of nulls": lambda: table(
            url=["a", "b"], links=pa.array([[None], ["a"]], pa.list_(pa.string()))
        ),
        "links that are text": lambda: table(url=["a", "b"], links=["b", "a"]),
        "URLs that are numbers": lambda: table(url=[1, 2], links=[["b"], ["a"]]),
        "URLs that are null": lambda: table(url=pa.array([None, "b"]), links=[["b"], ["a"]]),
        "URLs that are lists": lambda: table(url=[["a"], ["b"]], links=[["b"], ["a"]]),
        "titles that are numbers": lambda: table(
            url=["a", "b"], links=[["b"], ["a"]], title=[1, 2]
        ),
        "titles that are lists": lambda: table(
            url=["a", "b"], links=[["b"], ["a"]], title=[["x"], ["y"]]
        ),
        "dictionaries with null": lambda: table(
            src=pa.array(["a", None]).dictionary_encode(), dst=["b", "c"]
        ),
        "unsigned past 63 bits": lambda: table(
            src=pa.array([2**64 - 1], pa.uint64()), dst=pa.array([1], pa.uint64())
        ),
        "large lists": lambda: table(
            url=["a"], links=pa.array([["b"]], pa.large_list(pa.large_string()))
        ),
        "fixed lists": lambda: table(url=["a"], links=pa.array([["b"]], pa.list_(pa.string(), 1))),
        "text views": lambda: table(
            src=pa.array(["a"], pa.string()).cast(pa.large_string()), dst=["b"]
        ),
    }


TABLES = (
    *("no columns", "no rows", "nulls", "one name twice", "binary", "dates", "decimals"),
    *("lists that are null", "lists of lists", "lists of numbers", "lists of nulls"),
    *("links that are text", "URLs that are numbers", "URLs that are null", "URLs that are lists"),
    *("titles that are numbers", "titles that are lists", "dictionaries with null"),
    *("unsigned past 63 bits", "large lists", "fixed lists", "text views"),
)


@pytest.fixture(scope="module")
def built_tables(
    forks: Forks, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[Any, Any]]:
    """The outcome of a build from each table, as links or pages; all in one fork."""
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("tables")
    commands = []
    for number, (name, make) in enumerate(tables().items()):
        parquet.write_table(make(), folder / f"{number}.parquet")
        assert name in TABLES
        commands.append(["build", folder / f"{number}.parquet", "-o", folder / f"{number}.graph"])
    runs = forks.run(*commands, memory=4096 * MIB)
    return dict(zip(tables(), runs, strict=True))


@pytest.mark.parametrize("name", TABLES)
def test_an_odd_table_is_links_or_one_sentence(
    name: str, built_tables: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    done = built_tables[name]
    assert done.is_tidy, done
    assert done.status == 0 or done.is_refusal, done
