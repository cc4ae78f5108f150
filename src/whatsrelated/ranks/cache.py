"""A cache of ranks in the graph's folder, keyed by their options and the graph's fingerprint.

    web.graph/ranks/
      hubrank-5c1f0a2e97b3.json          the rank, its options, its graph, the arrays' checksums
      hubrank-5c1f0a2e97b3.scores.npy    plain NumPy arrays, mapped when read
      lock                               held by the process that writes

The file name contains a digest of the options. Every file is written under a temporary name, synced
and renamed; the description comes last. A rank with a wrong checksum, or of another graph, is
computed again, and its notes say why.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import GraphFormatError
from whatsrelated.graph import format as disk
from whatsrelated.machine.files import read_small, remove_unfinished
from whatsrelated.machine.locks import wait_for_lock
from whatsrelated.ranks.ranking import Ranking

if TYPE_CHECKING:
    from typing import Unpack

    from numpy import int64
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.ranks import Computing, Rank
    from whatsrelated.ranks.vectors import Floats

VERSION = 1
FOLDER = "ranks"


MAX_STORED = 64
"""Maximum number of ranks stored with a graph; beyond that, the oldest is removed."""


def ranking_of(
    store: Store, rank: Rank, *, stores: bool = True, **how: Unpack[Computing]
) -> Ranking:
    """The rank, read from the cache or computed. With `stores`, a computed rank is cached if it has
    converged.
    """
    notes = []
    try:
        cached = read(store, rank)
        if cached is not None and cached.converged:
            return cached
        if cached is not None:
            how["start"] = cached.scores
    except GraphFormatError as error:
        notes.append(f"{error} {rank.name} was computed again.")
    ranking = rank.compute(store, **how)
    if stores and store.path is not None and ranking.converged:
        try:
            write(ranking)
        except OSError as error:
            notes.append(f"{rank.name} could not be stored in {store.path}: {error.strerror}.")
    return ranking.with_notes(*notes)


def read(store: Store, rank: Rank) -> Ranking | None:
    """The rank from the cache; None if it is missing, an error if it is damaged or of another
    graph.

    A rank that was carried over from before an update has not converged.
    """
    if store.path is None:
        return None
    path = _path(store.path, rank)
    try:
        described = json.loads(read_small(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        raise GraphFormatError(f"{path} is damaged.") from None
    try:
        expected = _description(store, rank)
        if {name: described[name] for name in expected} != expected:
            raise GraphFormatError(f"{path} is for another graph.")
        arrays = {
            name: _read_array(path, name, file, store.n_pages)
            for name, file in described["arrays"].items()
        }
        return Ranking(
            store,
            rank,
            arrays["scores"],
            arrays.get("hubs"),
            rounds=int(described["rounds"]),
            residual=float(described["residual"]),
            converged="carried_over" not in described,
            notes=tuple(map(str, described.get("notes", ()))),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, GraphFormatError):
            raise
        raise GraphFormatError(f"{path} is damaged.") from None


def write(ranking: Ranking) -> Path:
    """Write a rank to its graph's folder; return the path of its description."""
    store, rank = ranking.store, ranking.by
    assert store.path is not None
    path = _path(store.path, rank)
    path.parent.mkdir(exist_ok=True)
    arrays = {"scores": ranking.scores}
    if ranking.hubs is not None:
        arrays["hubs"] = ranking.hubs
    with (path.parent / "lock").open("a") as lock:
        wait_for_lock(lock)
        remove_unfinished(path.parent)
        description = {
            **_description(store, rank),
            "rounds": ranking.rounds,
            "residual": ranking.residual,
            "notes": list(ranking.notes),
            "arrays": {name: _write_array(path, name, array) for name, array in arrays.items()},
        }
        disk.write_synced(path, json.dumps(description, indent=1).encode())
        _remove_oldest(path)
    return path


def _remove_oldest(latest: Path) -> None:
    """Remove the oldest ranks if there are too many."""
    stored = [path for path in latest.parent.glob("*-*.json") if path != latest]
    stored.sort(key=lambda path: path.stat().st_mtime_ns)
    for path in stored[: max(0, len(stored) + 1 - MAX_STORED)]:
        path.unlink()
        for name in ("scores", "hubs"):
            _array_path(path, name).unlink(missing_ok=True)


def carry_over(old: Store, new: Store) -> None:
    """Keep the ranks of a graph before an update as starting points for the ranks after it.

    New pages start with the smallest score. Errors are ignored, since a rank can always be computed
    from its usual start.
    """
    if new.path is None:
        return
    places: NDArray[int64] | None = None
    for path in sorted((new.path / FOLDER).glob("*.json")):
        try:
            described = json.loads(read_small(path))
            if described["graph"] != old.fingerprint:
                continue
            before = _read_array(path, "scores", described["arrays"]["scores"], old.n_pages)
            if not len(before):
                continue
            if places is None:
                pages = np.arange(old.n_pages, dtype=np.uint32)
                places = new.names.table.find_many(*old.names.table.get_many(pages))
            scores = np.full(new.n_pages, before.min(), before.dtype)
            scores[places[places >= 0]] = before[places >= 0]
            described |= {"graph": new.fingerprint, "pages": new.n_pages, "carried_over": True}
            described["arrays"] = {"scores": _write_array(path, "scores", scores)}
            disk.write_synced(path, json.dumps(described, indent=1).encode())
        except (GraphFormatError, OSError, ValueError, KeyError, TypeError):
            continue


def _description(store: Store, rank: Rank) -> dict[str, Any]:
    """The expected description of a cached rank."""
    return {
        "version": VERSION,
        "rank": rank.name,
        "options": _as_json(rank.settings()),
        "graph": store.fingerprint,
        "pages": store.n_pages,
    }


def _as_json(value: Any) -> Any:
    return json.loads(json.dumps(value, sort_keys=True, default=repr))


def _path(graph: Path, rank: Rank) -> Path:
    options = json.dumps(_as_json(rank.settings()), sort_keys=True).encode()
    return graph / FOLDER / f"{rank.name}-{disk.digest(options)[:12]}.json"


def _array_path(path: Path, name: str) -> Path:
    return path.with_name(f"{path.stem}.{name}.npy")


def _write_array(path: Path, name: str, array: Floats) -> dict[str, Any]:
    data = np.ascontiguousarray(array)
    disk.write_array(_array_path(path, name), data)
    return disk.describe_data(data)


def _read_array(path: Path, name: str, described: dict[str, Any], pages: int) -> Floats:
    """The scores of `pages` pages, all finite."""
    if name not in ("scores", "hubs") or described["dtype"] not in ("<f4", "<f8"):
        raise GraphFormatError(f"{path} is damaged.")
    file = _array_path(path, name)
    try:
        array: Floats = disk.map_array(file, described["dtype"], pages)
    except (GraphFormatError, OSError):
        raise GraphFormatError(f"{file} is missing or damaged.") from None
    if disk.data_differs(array, described) or not np.isfinite(array).all():
        raise GraphFormatError(f"{file} is damaged.")
    return array
