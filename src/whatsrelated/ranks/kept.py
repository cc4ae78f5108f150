"""Ranks kept beside the graph, and found again by their options and the graph's fingerprint.

    web.graph/ranks/
      hubrank-5c1f0a2e97b3.json          the rank, its options, its graph, the arrays' checksums
      hubrank-5c1f0a2e97b3.scores.npy    plain NumPy arrays, mapped when read
      lock                               held by the process that writes

The name has a digest of the options.  Every file is written aside, synced, and
put in its place in one step, the small file last.  What does not have the
checksum that it tells, or is of another graph, is not used: the rank is
computed anew, and its notes say why.
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import GraphFormatError
from whatsrelated.graph import format as disk
from whatsrelated.ranks.ranking import Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.ranks import Rank
    from whatsrelated.stream import Progress

VERSION = 1
FOLDER = "ranks"


def ranked(
    store: Store,
    rank: Rank,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    accept: bool = False,
) -> Ranking:
    """The rank as it was kept, or computed, and then kept if it has settled."""
    notes = []
    try:
        found = kept(store, rank)
        if found is not None:
            return found
    except GraphFormatError as error:
        notes.append(f"{error} {rank.name} was computed anew.")
    ranking = rank.compute(store, threads=threads, progress=progress, accept=accept)
    if store.path is not None and ranking.settled:
        try:
            keep(ranking)
        except OSError as error:
            notes.append(f"{rank.name} could not be kept in {store.path}: {error.strerror}.")
    return ranking.with_notes(*notes)


def kept(store: Store, rank: Rank) -> Ranking | None:
    """The rank as it was kept, None where it was not; what is damaged or foreign is an error."""
    if store.path is None:
        return None
    path = _path(store.path, rank)
    try:
        told = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise GraphFormatError(f"{path} is damaged.") from None
    try:
        expected = _description(store, rank)
        if {name: told[name] for name in expected} != expected:
            raise GraphFormatError(f"{path} is of another graph.")
        arrays = {name: _read(path, name, file) for name, file in told["arrays"].items()}
        return Ranking(
            store,
            rank,
            arrays["scores"],
            arrays.get("hubs"),
            rounds=int(told["rounds"]),
            residual=float(told["residual"]),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, GraphFormatError):
            raise
        raise GraphFormatError(f"{path} is damaged.") from None


def keep(ranking: Ranking) -> Path:
    """Write a rank beside its graph; where it is told of."""
    store, rank = ranking.store, ranking.by
    assert store.path is not None
    path = _path(store.path, rank)
    path.parent.mkdir(exist_ok=True)
    arrays = {"scores": ranking.scores}
    if ranking.hubs is not None:
        arrays["hubs"] = ranking.hubs
    with (path.parent / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        told = {
            **_description(store, rank),
            "rounds": ranking.rounds,
            "residual": ranking.residual,
            "arrays": {name: _write(path, name, array) for name, array in arrays.items()},
        }
        disk.write_synced(path, json.dumps(told, indent=1).encode())
    return path


def _description(store: Store, rank: Rank) -> dict[str, Any]:
    """What a kept rank must say of itself to be the one that is wanted."""
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


def _write(path: Path, name: str, array: NDArray[Any]) -> dict[str, Any]:
    place = _array_path(path, name)
    aside = place.with_name(place.name + ".new")
    data = np.ascontiguousarray(array)
    with aside.open("wb") as file:
        file.write(disk.header(data.dtype.str, len(data)))
        file.write(data.data.cast("B") if len(data) else b"")
        file.flush()
        os.fsync(file.fileno())
    aside.replace(place)
    return {"dtype": data.dtype.str, "count": len(data), "blake2b": disk.data_digest(data)}


def _read(path: Path, name: str, told: dict[str, Any]) -> NDArray[Any]:
    if name not in ("scores", "hubs") or told["dtype"] not in ("<f4", "<f8"):
        raise GraphFormatError(f"{path} is damaged.")
    place = _array_path(path, name)
    try:
        array = disk.mapped(place, told["dtype"], told["count"])
    except (GraphFormatError, OSError):
        raise GraphFormatError(f"{place} is missing or damaged.") from None
    if disk.data_differs(array, told):
        raise GraphFormatError(f"{place} is damaged.")
    return array
