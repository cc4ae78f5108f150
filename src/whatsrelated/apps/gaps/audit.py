"""The gaps of an open graph, for Python, the server and agents."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whatsrelated.api.arguments import require_iterable, require_limits
from whatsrelated.api.limits import keep_within, question_limits
from whatsrelated.options import configure

if TYPE_CHECKING:
    from whatsrelated import Graph
    from whatsrelated.apps.gaps.findings import Gaps
    from whatsrelated.apps.gaps.site_gaps import Places
    from whatsrelated.stream import Progress


def gaps_of(
    graph: Graph,
    *,
    ignore: str | Path | Iterable[str] = (),
    deadline: float | None = None,
    progress: Progress | None = None,
    places: Places | None = None,
    **options: Any,
) -> Gaps:
    """Missing and broken links, orphans, dead ends and so on, over all pages that were read.

    `ignore` is a file of dismissals, or its lines; `options` takes the options of `GapOptions`.
    `places` (a `MentionFinder`) finds where each missing link goes in the text of its page. Raises
    OutOfTime as early as possible if the work cannot finish by `deadline`, a `time.monotonic()`
    value.
    """
    from whatsrelated.api.asking import read_decisions
    from whatsrelated.apps.gaps.site_gaps import GapOptions, find_gaps

    if isinstance(ignore, str | Path):
        ignore = read_decisions(ignore)
    require_iterable("gaps", "ignore", ignore)
    graph.store.require_mapped()
    require_limits("gaps", deadline, sys.maxsize, progress)
    with keep_within(question_limits(deadline, sys.maxsize)):
        return find_gaps(graph.store, configure(GapOptions, options), ignore, progress, places)
