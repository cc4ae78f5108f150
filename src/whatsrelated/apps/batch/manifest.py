"""The manifest of an output: everything its answers depend on, as a small JSON file.

A run continues an output only if the manifests are equal; otherwise the error lists the
differences. An option missing from a manifest counts as its default, so a new option does not
invalidate stored answers.
"""

from __future__ import annotations

import contextlib
import json
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whatsrelated.api.asking import Request
from whatsrelated.api.limits import kernels_in_use
from whatsrelated.apps.batch.job import digest
from whatsrelated.errors import OptionError
from whatsrelated.machine.files import write_file
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options, present

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.api.asking import Asker
    from whatsrelated.apps.batch.job import Job

VERSION = 1
Manifest = dict[str, Any]


def describe(job: Job, graph: Graph) -> Manifest:
    """The manifest of a job."""
    batch = job.batch
    asker = graph.asker(batch.method, **dict(batch.options))
    packages = {"parquet": ("pyarrow",)}.get(job.format, ())
    return {
        "answers": VERSION,
        "graph": graph.store.fingerprint,
        "by": batch.method.name,
        "options": settings_of(asker),
        "stop_pages": digest(asker.stop.pages) if len(asker.stop.pages) else None,
        "pairs": asker.chosen.decisions.digest(),
        "why": batch.why,
        "question_memory": batch.memory,
        "format": job.format,
        "pages": job.n_pages,
        "chosen": None if job.chosen is None else digest(job.chosen),
        "part_pages": job.part_pages,
        "parts": job.n_parts,
        "versions": {
            "kernels": kernels_in_use(),
            **{name: metadata.version(name) for name in ("whatsrelated", *packages)},
        },
    }


def settings_of(asker: Asker) -> dict[str, Any]:
    """The options of the method and the request, as the manifest stores them."""
    options = {**asker.method.settings(), **asker.request.settings()}
    return {name: _plain(value) for name, value in options.items() if name != "clusters"}


def completed(manifest: Manifest) -> Manifest:
    """A manifest with the defaults of newer options filled in."""
    by = str(manifest.get("by", ""))
    owners: list[type] = [Request, *([METHODS[by]] if by in METHODS else [])]
    options = {name: one for owner in owners for name, one in declared_options(owner).items()}
    defaults = {name: _plain(one.default) for name, one in options.items() if name != "clusters"}
    stored = present(manifest.get("options", {}), options, "all")
    return {**manifest, "options": {**defaults, **stored}}


def _plain(value: Any) -> Any:
    """A value after a round trip through JSON."""
    try:
        return json.loads(json.dumps(value))
    except TypeError:
        return repr(value)


def require_same(path: Path, manifest: Manifest) -> None:
    """Write the manifest if there is none; raise an error if a different one exists."""
    stored = read(path)
    if stored is None:
        _write_once(path, manifest)
        stored = read(path)
    differing = _differences(completed(stored or {}), manifest)
    if differing:
        raise OptionError(
            f"all: {path} describes other answers: {'; '.join(differing)}. "
            "Remove that output, or choose another name."
        )


def read(path: Path) -> Manifest | None:
    """The manifest in a file; None if there is none."""
    try:
        manifest = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise OptionError(f"all: {path} is not a manifest: {error}.") from error
    if not isinstance(manifest, dict):
        raise OptionError(f"all: {path} is not a manifest; remove it, or choose another name.")
    return manifest


def _write_once(path: Path, manifest: Manifest) -> None:
    """Write the manifest atomically, unless another shard is writing it."""
    with contextlib.suppress(FileExistsError):
        write_file(path, json.dumps(manifest, indent=1) + "\n", new=True)


def _differences(stored: Manifest, manifest: Manifest, inside: str = "") -> list[str]:
    changes = []
    other = {"options"} if stored.get("by") != manifest.get("by") else set()  # another method's
    for name in dict.fromkeys([*manifest, *stored]):
        if name in other:
            continue
        before, now = stored.get(name), manifest.get(name)
        if isinstance(before, dict) and isinstance(now, dict):
            changes += _differences(before, now, f"{name} ")
        elif before != now:
            changes.append(f"{inside}{name} was {_shown(before)}, is now {_shown(now)}")
    return changes


def _shown(value: Any) -> str:
    return f"{json.dumps(value, ensure_ascii=False):.80}"
