"""A packed graph is the plain one in fewer bytes: the same answers, the same fingerprint."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

import whatsrelated as wr
from whatsrelated import sample
from whatsrelated.errors import BuildError, GraphFormatError, OutOfMemory
from whatsrelated.graph import packing
from whatsrelated.graph.format import current_generation
from whatsrelated.graph.rows import PackedRows
from whatsrelated.graph.saving import repack
from whatsrelated.graph.store import Store
from whatsrelated.methods import METHODS
from whatsrelated.ranks import RANKS, link_matrix

DAMAGES = int(os.environ.get("RELATED_DAMAGES", "60"))


def links_of_a_web(pages: int = 1500) -> list[tuple[str, str]]:
    """A graph with a page of more parents than a short list holds."""
    numbers = np.random.default_rng(0)
    name = "https://h{}.org/p{}".format
    links = []
    for page in range(pages):
        for other in (numbers.zipf(1.6, numbers.integers(1, 25)) % pages).tolist():
            links.append((name(page % 40, page), name(other % 40, other)))
    return links + [(name(p % 40, p), "https://big.org/") for p in range(1300)]


def pages_with_long_lists() -> list[wr.Page]:
    """The sample Web, and a page that 300 link to and that links to 300."""
    names = [f"page {n}" for n in range(300)]
    return [*sample.pages(), wr.Page("many", names), *(wr.Page(name, ["many"]) for name in names)]


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> tuple[wr.Graph, wr.Graph]:
    folder = tmp_path_factory.mktemp("packing")
    file = folder / "links.txt"
    file.write_text("".join(f"{a} {b}\n" for a, b in links_of_a_web()))
    return (
        wr.build(file, folder / "plain", store="plain"),
        wr.build(file, folder / "packed", store="packed"),
    )


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_the_same_answers_to_the_last_bit(
    graphs: tuple[wr.Graph, wr.Graph], method: str
) -> None:
    plain, packed = graphs
    found = 0
    for page in ("https://big.org/", "https://h1.org/p1", "https://h5.org/p45"):
        one = plain.related(page, by=method, limit=40)
        other = packed.related(page, by=method, limit=40)
        assert [(r.url, r.score) for r in one] == [(r.url, r.score) for r in other]
        assert [r.evidence for r in one][:2] == [r.evidence for r in other][:2]
        found += len(one)
    assert found


@pytest.mark.parametrize("rank", RANKS)
def test_every_rank_gives_the_same_scores_to_the_last_bit(
    graphs: tuple[wr.Graph, wr.Graph], rank: str
) -> None:
    plain, packed = (graph.rank(by=rank) for graph in graphs)
    assert np.array_equal(plain.scores, packed.scores)


@pytest.mark.parametrize("share", [link_matrix.MEMORY_SHARE, 1 << 60])
def test_ranks_are_the_same_whether_links_stay_decoded_or_not(
    graphs: tuple[wr.Graph, wr.Graph], monkeypatch: pytest.MonkeyPatch, share: int
) -> None:
    """In many chunks; with almost no memory, each is decoded in every round."""
    monkeypatch.setattr(link_matrix, "MEMORY_SHARE", share)
    monkeypatch.setattr(link_matrix, "CHUNK", 500)
    decoded = 0
    read = PackedRows.read

    def count(self: PackedRows, low: int, high: int) -> np.ndarray:
        nonlocal decoded
        decoded += high - low
        return read(self, low, high)

    monkeypatch.setattr(PackedRows, "read", count)
    damping = (
        0.7 if share == link_matrix.MEMORY_SHARE else 0.71
    )  # scores are computed once for each
    plain, packed = (graph.rank(by="pagerank", damping=damping, threads=1) for graph in graphs)
    assert np.array_equal(plain.scores, packed.scores)
    assert (decoded / len(graphs[1]) < 3) == (damping == 0.7)


def test_threads_decode_each_for_itself(graphs: tuple[wr.Graph, wr.Graph]) -> None:
    plain, packed = graphs
    pages = [f"https://h{p % 40}.org/p{p}" for p in range(12)]
    expected = [[r.url for r in plain.related(page, by="companion")] for page in pages]
    found: list[list[list[str]]] = [[] for _ in range(4)]

    def ask(own: list[list[str]]) -> None:
        own += [[r.url for r in packed.related(page, by="companion")] for page in pages]

    threads = [threading.Thread(target=ask, args=(own,)) for own in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_a_question_with_too_little_memory_for_its_lists_ends_with_an_error(
    graphs: tuple[wr.Graph, wr.Graph],
) -> None:
    from whatsrelated import kernels
    from whatsrelated.kernels.scratch import keep_within

    if kernels.in_use() == "plain":
        pytest.skip("the twins have no arena")
    store = Store.open(graphs[1].store.path or Path())
    page = store.page("https://big.org/")
    with (
        pytest.raises(OutOfMemory, match="more than the 0 MB"),
        keep_within(kernels.limits.Limits(memory=4096)),
    ):
        store.links.is_inward(store.hosts, page)


def test_packed_and_plain_have_one_fingerprint_and_packed_takes_fewer_bytes(
    graphs: tuple[wr.Graph, wr.Graph],
) -> None:
    plain, packed = (graph.store for graph in graphs)
    assert plain.fingerprint == packed.fingerprint
    sizes = [sum(s.arrays[name].nbytes for name in s.link_arrays) for s in (plain, packed)]
    assert sizes[1] < 0.5 * sizes[0]
    assert (plain.manifest["format"], packed.manifest["format"]) == (1, 2)
    assert plain.check() is None
    assert packed.check() is None


@pytest.mark.parametrize("at_once", [packing.LINKS_PER_STEP, 100])
def test_packing_by_pieces_and_beyond_memory_writes_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(packing, "LINKS_PER_STEP", at_once)
    stores = [
        wr.build(sample.pages(), tmp_path / str(memory), store="packed", memory=memory).store
        for memory in (100_000, 4 << 30)
    ]
    for name, values in stores[0].arrays.items():
        assert np.array_equal(stores[1].arrays[name], values), name


def test_a_graph_is_packed_and_unpacked_in_place(tmp_path: Path) -> None:
    made = wr.build(sample.pages(), tmp_path / "web.graph").store
    rank = wr.open(tmp_path / "web.graph").rank(by="pagerank").scores
    packed = repack(tmp_path / "web.graph", packed=True)
    assert packed.is_packed
    assert packed.fingerprint == made.fingerprint
    again = wr.open(tmp_path / "web.graph").rank(by="pagerank")
    assert np.array_equal(again.scores, rank)
    assert repack(tmp_path / "web.graph", packed=True).generation == packed.generation
    plain = repack(tmp_path / "web.graph", packed=False)
    assert not plain.is_packed
    assert plain.check() is None
    for name, values in made.arrays.items():
        assert np.array_equal(plain.arrays[name], values), name


def test_a_packed_graph_stays_packed_when_it_is_updated(tmp_path: Path) -> None:
    for kind in ("packed", "plain"):
        wr.build([wr.Page("a", ["b", "c"])], tmp_path / kind, store=kind)
        wr.update(tmp_path / kind, [wr.Page("b", ["c", "d"])])
    packed, plain = Store.open(tmp_path / "packed"), Store.open(tmp_path / "plain")
    assert packed.is_packed
    assert packed.check() is None
    assert packed.fingerprint == plain.fingerprint
    assert [packed.links_from(p).tolist() for p in range(4)] == (
        [plain.links_from(p).tolist() for p in range(4)]
    )


def test_a_saved_copy_of_a_packed_graph_is_packed(
    graphs: tuple[wr.Graph, wr.Graph], tmp_path: Path
) -> None:
    saved = graphs[1].save(tmp_path / "copy")
    assert saved.store.is_packed
    assert saved.store.check() is None


def test_many_links_are_packed_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not packing.is_to_be_packed("auto", 1000, 100)
    assert packing.is_to_be_packed("auto", 100_000_001, 10)
    assert not packing.is_to_be_packed("plain", 1 << 33, 10)
    assert packing.is_to_be_packed("packed", 1, 1)
    monkeypatch.setattr(packing, "physical_memory", lambda: 4 << 20)
    assert packing.is_to_be_packed("auto", 131_072, 1)


def test_more_than_an_index_can_address_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "MAX_WORDS", 100)
    with pytest.raises(BuildError, match=r"one direction \(out\) would take more than .* plain"):
        wr.build(sample.pages(), tmp_path / "web.graph", store="packed")
    assert not (tmp_path / "web.graph").exists()


def test_damaged_blocks_are_refused_when_a_graph_is_opened(tmp_path: Path) -> None:
    """Damage anywhere in the packed links is found, whatever byte and bit it is."""
    made = wr.build(pages_with_long_lists(), tmp_path / "web.graph", store="packed").store
    folder = current_generation(tmp_path / "web.graph")[0]
    numbers = np.random.default_rng(1)
    for _ in range(DAMAGES):
        name = numbers.choice(made.link_arrays)
        file = folder / f"{name}.npy"
        whole = file.read_bytes()
        place = int(numbers.integers(128, len(whole)))
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(numbers.integers(8))
        file.write_bytes(damaged)
        with pytest.raises(
            GraphFormatError, match=r"damaged|changed since it was written|are packed"
        ):
            wr.open(tmp_path / "web.graph", verify="full")
        file.write_bytes(whole)
    assert wr.open(tmp_path / "web.graph", verify="full").store.check() is None


def test_crafted_blocks_with_right_checksums_are_refused(tmp_path: Path) -> None:
    """An attacker writes the checksums as well, so the lists are followed first."""
    made = wr.build(pages_with_long_lists(), tmp_path / "web.graph", store="packed").store
    numbers = np.random.default_rng(2)
    refused = 0
    for _ in range(DAMAGES):
        arrays = {name: np.array(values) for name, values in made.arrays.items()}
        name = str(numbers.choice(made.link_arrays))
        raw = arrays[name].view(np.uint8)
        raw[int(numbers.integers(len(raw)))] ^= int(numbers.integers(1, 256))
        crafted = Store(arrays, {**made.manifest, "files": {}})
        crafted._is_verified = False
        try:
            crafted.verify()
        except GraphFormatError:
            refused += 1
            continue
        for page in range(crafted.n_pages):
            assert (crafted.links_from(page) < crafted.n_pages).all()
            assert (crafted.links_to(page) < crafted.n_pages).all()
    assert refused
