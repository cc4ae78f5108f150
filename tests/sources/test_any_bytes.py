"""Whatever bytes a file has, a reader gives links or an error of ours; nothing else."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.sources import read, write
from whatsrelated import sources
from whatsrelated.errors import RelatedError

SEEDS = {
    "columns": [b"src\tdst\na\tb\n", b'a,"b"\n', b"1 2\nx 3\n"],
    "rows": [b"0: 1 2 -1\n", b"SparseMatrix: 1 by 1\nrow 0: 1 -1\n", b"1 2\n\n3\n"],
    "kleinberg": [b"n 0 http://a/\nn 1 http://b/\ne 0 1\n"],
    "jsonl": [b'{"url": "a", "links": ["b"], "title": null}\n'],
    "matrixmarket": [b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n"],
    "gml": [b'graph [ directed 1 node [ id 1 label "a" ] edge [ source 1 target 1 ] ]'],
    "graphml": [
        b'<graphml><key id="d" for="node" attr.name="url"/><graph><node id="a">'
        b'<data key="d">x</data></node><edge source="a" target="b"/></graph></graphml>'
    ],
    "wikispeedia": [b"# Article names are URL-encoded\nA\tB%20\n"],
    "parquet": [b"PAR1\x15\x04\x15\x10PAR1"],
    "bvgraph": [b"\x80\x80"],
}


def mutated(seed: bytes) -> st.SearchStrategy[bytes]:
    """A seed with some bytes changed, cut or put in."""

    def change(edits: list[tuple[int, int, bytes]]) -> bytes:
        data = seed
        for place, gone, new in edits:
            at = place % (len(data) + 1)
            data = data[:at] + new + data[at + gone :]
        return data

    edit = st.tuples(st.integers(0, 200), st.integers(0, 5), st.binary(max_size=4))
    return st.lists(edit, max_size=4).map(change)


some_files = st.sampled_from(
    [(kind, seed) for kind, seeds in SEEDS.items() for seed in seeds]
).flatmap(lambda pair: st.tuples(st.just(pair[0]), mutated(pair[1])))


def drained(path: Path, **settings: object) -> None:
    said = "."
    try:
        for _ in read(path, **settings):
            pass
    except RelatedError as error:
        said = str(error)
    assert said.endswith(".")


@given(some_files, st.booleans())
@example(("columns", b"\xff\xfea\0\t\0b\0"), True)
def test_a_reader_gives_links_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, file: tuple[str, bytes], recognise: bool
) -> None:
    kind, data = file
    path = write(tmp_path_factory.getbasetemp() / "any.graph", data)
    write(path.with_suffix(".properties"), b"graphclass=it.webgraph.BVGraph\n" + data)
    drained(path, format=None if recognise else kind)


@given(some_files)
def test_a_file_of_names_gives_names_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, file: tuple[str, bytes]
) -> None:
    links = write(tmp_path_factory.getbasetemp() / "links", "0 1\n1 0\n")
    drained(links, names=write(tmp_path_factory.getbasetemp() / "names", file[1]))


@given(st.sampled_from([gzip.compress(b"a\tb\n" * 50)]).flatmap(mutated))
def test_a_packed_file_gives_links_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    drained(write(tmp_path_factory.getbasetemp() / "packed", data))


def test_every_reader_is_tried() -> None:
    assert set(SEEDS) <= set(sources.READERS)
