"""For any bytes, a reader gives links or one of our errors, nothing else."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.fuzz.run import CORPUS, seeds
from tests.sources import read, write
from whatsrelated.errors import RelatedError
from whatsrelated.sources import READERS

SEEDS = {
    name: (CORPUS / "readers" / name).read_bytes()
    for name in seeds("readers")
    if not READERS[name.partition("/")[0]].folders
}
"""The files of the fuzzer's corpus; folders are tested by the fuzzer, as processes read them."""


_COMMAND = re.compile(r": related [a-z]+ .*\w$")
"""A sentence that ends with a command has no full stop, which would be pasted with it."""


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


some_files = st.sampled_from(sorted(SEEDS)).flatmap(
    lambda name: st.tuples(st.just(name.partition("/")[0]), mutated(SEEDS[name]))
)


def drained(path: Path, **settings: object) -> None:
    said = "."
    try:
        for _ in read(path, **settings):
            pass
    except RelatedError as error:
        said = str(error)
    assert said.endswith(".") or _COMMAND.search(said), said


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
    drained(links, names_file=write(tmp_path_factory.getbasetemp() / "names", file[1]))


@given(st.sampled_from([gzip.compress(b"a\tb\n" * 50)]).flatmap(mutated))
def test_a_packed_file_gives_links_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    drained(write(tmp_path_factory.getbasetemp() / "packed", data))


def test_every_reader_of_files_is_tried() -> None:
    tried = {name.partition("/")[0] for name in SEEDS}
    assert tried == {name for name in READERS.ours if not READERS[name].folders}
