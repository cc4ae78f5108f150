"""Update a graph from sources that hold the changed pages.

A page in the sources replaces the stored one, with all its links, title, words and anchor texts.
Other pages stay, unless they are deleted. The graph keeps its build options, so names and pages are
read as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated.api import Graph
from whatsrelated.api.arguments import folder_named, stream_of_pages
from whatsrelated.api.building import BuildOptions
from whatsrelated.errors import OptionError
from whatsrelated.graph.build import StreamItem
from whatsrelated.graph.names import NAMES_PER_BATCH
from whatsrelated.graph.page_columns import columns
from whatsrelated.graph.plan import Plan
from whatsrelated.graph.store import Store
from whatsrelated.graph.terms import COLUMN as TERMS
from whatsrelated.graph.text_index import with_text_index
from whatsrelated.graph.update import update_on_disk
from whatsrelated.names.naming import Naming
from whatsrelated.options import configure, declared_options, divide, option
from whatsrelated.query.patterns import Pattern
from whatsrelated.ranks.cache import carry_over
from whatsrelated.sources import open_sources
from whatsrelated.sources.parsed_files import ParsedFiles
from whatsrelated.stream import Progress, Refused

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray


@dataclass(frozen=True)
class UpdateOptions(BuildOptions):
    """The options of an update: its own, and the build options that it accepts.

    The graph stores the rest.
    """

    name: ClassVar[str] = "update"
    fixed: ClassVar[tuple[str, ...]] = (
        *declared_options(Naming),
        *("names_file", "unordered", "text", "allow_empty", "least_parents", "store"),
    )

    missing: str = option(
        "keep",
        "what to do with pages that the sources no longer have",
        choices=("keep", "delete"),
    )
    wait: bool = option(False, "wait until no other process is building this graph")


@dataclass(slots=True)
class Deletion:
    """The pages to delete: by name, by pattern, or because they are missing from the sources."""

    targets: Iterable[str] = ()
    missing: bool = False
    unknown: list[str] = field(default_factory=list)
    """Names that are not in the graph."""

    def pages(self, old: Store, changes: Store) -> NDArray[bool_]:
        """The pages of the old graph to delete."""
        gone = np.zeros(old.n_pages, np.bool_)
        patterns = []
        for text in self.targets:
            page = old.look_up(text)
            if page is not None:
                gone[page] = True
            elif "*" in text or "?" in text:
                patterns.append(Pattern(text, "delete"))
            else:
                self.unknown.append(text)
        if patterns:
            self._match(old, patterns, gone)
        if self.missing:
            gone[:] = True  # except pages in the changes
        return gone

    def _match(self, old: Store, patterns: list[Pattern], gone: NDArray[bool_]) -> None:
        matched = set()
        for low in range(0, old.n_pages, NAMES_PER_BATCH):
            pages = np.arange(low, min(low + NAMES_PER_BATCH, old.n_pages), dtype=np.uint32)
            for page, url in zip(pages.tolist(), old.urls(pages), strict=True):
                for pattern in patterns:
                    if pattern.matches(url):
                        gone[page] = True
                        matched.add(pattern.text)
        self.unknown += [one.text for one in patterns if one.text not in matched]


def _format_before(built: dict[str, Any], paths: Sequence[str | Path]) -> str | None:
    """The format in which these sources were read when the graph was built."""
    before = dict(zip(built.get("sources", ()), built.get("formats", ()), strict=False))
    formats = {before.get(str(path)) for path in paths}
    return formats.pop() if len(formats) == 1 else None


def update(
    path: str | Path,
    sources: str | Path | Iterable[str | Path] | Iterable[StreamItem] = (),
    *,
    delete: str | Iterable[str] = (),
    refused: Refused | None = None,
    unknown: list[str] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Graph:
    """Update the graph in a folder, and open it.

    `delete` names pages, or patterns such as `https://old.example/*`; names that are not in the
    graph are added to `unknown`. `options` takes the options of `UpdateOptions` and of the readers;
    their defaults are the values used for the build.
    """
    folder = folder_named(path)
    refused = Refused() if refused is None else refused
    update_options, reader_options = divide(options, UpdateOptions)
    chosen = configure(UpdateOptions, update_options)
    parsed = ParsedFiles(folder, str(chosen.temp) if chosen.temp else None)
    old = Store.open(folder, verify="none")  # merging verifies it
    built = old.manifest["built"]
    naming = configure(Naming, divide(built, Naming)[0])
    chosen = replace(chosen, **naming.recorded(), text=f"{TERMS}.text" in old.arrays)
    stream: Any = [sources] if isinstance(sources, str | Path) else sources
    if chosen.missing == "delete" and stream in ([], ()):
        raise OptionError("update: missing=delete needs a source, or it would delete all pages.")
    if isinstance(stream, list | tuple) and all(isinstance(one, str | Path) for one in stream):
        stream = open_sources(
            stream,
            replace(chosen, format=chosen.format or _format_before(built, stream)),
            refused=refused,
            memory=chosen.memory_bound // 4,
            temporary=chosen.temp,
            progress=progress,
            options=reader_options,
            defaults=built.get("options", {}),
            parsed=parsed,
        )
        ordered = stream.ordered
    else:
        ordered = getattr(stream, "ordered", True)
        stream = stream_of_pages("update", stream)
    plan = Plan(
        chosen,
        chosen,
        ordered=ordered,
        columns=columns(chosen, chosen.text),
        refused=refused,
        progress=progress,
        wait=chosen.wait,
    )
    targets = [delete] if isinstance(delete, str) else delete
    deletion = Deletion(targets, chosen.missing == "delete", [] if unknown is None else unknown)
    updated = update_on_disk(stream, folder, plan, deletion.pages)
    parsed.save()
    if updated.fingerprint != old.fingerprint:
        carry_over(old, updated)
    return Graph(with_text_index(updated, progress))
