"""An updated graph equals, byte for byte, the one built from the same final pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from whatsrelated.errors import BuildError, OptionError
from whatsrelated.graph.build import build_in_memory, build_on_disk
from whatsrelated.graph.generations import Generation
from whatsrelated.graph.page_columns import columns
from whatsrelated.graph.plan import Plan, WriteOptions
from whatsrelated.graph.store import Store
from whatsrelated.graph.update import Deleted, update_on_disk
from whatsrelated.names.naming import Naming
from whatsrelated.stream import Page

NAMES = (
    "7",
    "10",
    "b",
    "c",
    "tea",
    "http://q.co.uk:8080/",
    "https://x.org/",
    "https://x.org/y",
    "https://www.x.org/z",
)
KINDS = ("added", "changed", "removed")


@st.composite
def pages(draw: st.DrawFn) -> Page:
    url = draw(st.sampled_from(NAMES))
    links = draw(st.lists(st.sampled_from(NAMES), max_size=5))
    if draw(st.integers(0, 4)) == 0:
        return Page(url, read=False)
    return Page(
        url,
        links,
        title=draw(st.sampled_from([None, "Tea", "Tea and biscuits"])),
        text=draw(st.sampled_from([None, "some words", "some other words"])),
        anchors=[f"to {link}" if place % 2 else "" for place, link in enumerate(links)],
    )


def distinct(most: int) -> st.SearchStrategy[list[Page]]:
    return st.lists(pages(), max_size=most, unique_by=lambda page: page.url)


def plan(memory: int = 1 << 30) -> Plan:
    options = WriteOptions(memory=memory, allow_empty=True)
    return Plan(Naming(), options, columns=columns(Naming(), text=True))


def deletion_of(names: Iterable[str]) -> Deleted:
    def deleted(old: Store, changes: Store) -> NDArray[np.bool_]:
        mask = np.zeros(old.n_pages, np.bool_)
        mask[[page for name in names if (page := old.names.page_of(name)) is not None]] = True
        return mask

    return deleted


def assert_same(found: Store, expected: Store) -> None:
    assert {name: array.tobytes() for name, array in found.arrays.items()} == {
        name: array.tobytes() for name, array in expected.arrays.items()
    }
    assert found.fingerprint == expected.fingerprint
    assert found.auto_site == expected.auto_site
    assert found.manifest["read_pages"] == expected.manifest["read_pages"]


@settings(max_examples=60)
@given(
    distinct(6),
    st.lists(st.tuples(distinct(4), st.sets(st.sampled_from(NAMES), max_size=2)), max_size=4),
    st.sampled_from([800, 1 << 20]),
)
def test_an_updated_graph_is_the_one_built_from_the_final_pages(
    first: list[Page], updates: list[tuple[list[Page], set[str]]], memory: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "web.graph"
        before = build_on_disk(first, path, plan(memory))
        final = {page.url: page for page in first if page.read}
        names = named(first)
        for changed, gone in updates:
            store = update_on_disk(changed, path, plan(memory), deletion_of(gone))
            final = {url: page for url, page in final.items() if url not in gone}
            final |= {page.url: page for page in changed if page.read}
            names = names - gone | named(changed) | named(final.values())
            lone = [Page(name, read=False) for name in sorted(names - set(final))]
            assert_same(store, build_in_memory([*final.values(), *lone], plan()))
            assert store.check() is None
            if store.fingerprint != before.fingerprint:
                counts = {kind: store.manifest["updated"][kind] for kind in KINDS}
                assert counts == differences(contents(before), contents(store))
            before = store


def named(listed: Iterable[Page]) -> set[str]:
    """Every page that these pages name: themselves and what they link to."""
    return {name for page in listed for name in (page.url, *page.links)}


def contents(store: Store) -> dict[str, object]:
    """All that a graph has for each page, by name."""
    columns = {name.removesuffix(".text") for name in store.arrays if name.endswith(".text")}
    tables = [store.column(name) for name in sorted(columns - {"names"})]
    return {
        store.url(page): (
            store.is_read([page])[0],
            store.urls(store.links_from(page)),
            {table.get(page) for table in tables if table} - {b""},
        )
        for page in range(store.n_pages)
    }


def differences(before: dict[str, object], after: dict[str, object]) -> dict[str, int]:
    return {
        "added": len(after.keys() - before.keys()),
        "changed": sum(after[name] != before[name] for name in after.keys() & before.keys()),
        "removed": len(before.keys() - after.keys()),
    }


def test_an_update_that_changes_nothing_makes_no_new_generation(tmp_path: Path) -> None:
    path = tmp_path / "web.graph"
    build_on_disk([Page("a", ["b", "c"])], path, plan())
    before = (path / "current").read_bytes()
    update_on_disk([Page("a", ["b", "c"])], path, plan(), deletion_of([]))
    assert (path / "current").read_bytes() == before
    assert sorted(entry.name for entry in path.iterdir()) == [
        "current",
        "generation-000001",
        "lock",
    ]


def test_a_page_that_is_only_named_keeps_its_links_and_takes_the_new_title(tmp_path: Path) -> None:
    path = tmp_path / "web.graph"
    build_on_disk([Page("a", ["b"], title="Old")], path, plan())
    store = update_on_disk([Page("a", title="New", read=False)], path, plan(), deletion_of([]))
    assert_same(store, build_in_memory([Page("a", ["b"], title="New")], plan()))


def test_the_second_writer_is_refused_and_the_graph_stays(tmp_path: Path) -> None:
    path = tmp_path / "web.graph"
    build_on_disk([Page("a", ["b"])], path, plan())
    with Generation(path), pytest.raises(BuildError, match="is being built by process"):
        update_on_disk([Page("a", ["c"])], path, plan(), deletion_of([]))
    assert Store.open(path).names.page_of("c") is None


def test_a_source_that_fails_leaves_the_old_graph_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "web.graph"
    build_on_disk([Page("a", ["b"])], path, plan())

    def broken() -> Iterable[Page]:
        yield Page("a", ["c"])
        raise OSError("the disk is gone")

    with pytest.raises(BuildError):
        update_on_disk(broken(), path, plan(), deletion_of([]))
    assert Store.open(path).names.page_of("c") is None
    assert sorted(entry.name for entry in path.iterdir()) == [
        "current",
        "generation-000001",
        "lock",
    ]


def test_a_memory_limit_that_the_pages_alone_exceed_is_rejected_before_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_on_disk([Page("a", ["b"])], tmp_path / "web.graph", plan())
    monkeypatch.setattr("whatsrelated.graph.update.BYTES_PER_PAGE", 100 << 20)

    def unread() -> Iterable[Page]:
        raise AssertionError("the source was read")
        yield

    limit = r"^update: memory must be at least 200M for 2 pages, got 150M\.$"
    with pytest.raises(OptionError, match=limit):
        update_on_disk(unread(), tmp_path / "web.graph", plan(150 << 20), deletion_of([]))
    update_on_disk([Page("c", ["a"])], tmp_path / "web.graph", plan(200 << 20), deletion_of([]))
