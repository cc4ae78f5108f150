"""A graph as a site that somebody looks after."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whatsrelated.api.arguments import require_iterable, require_limits
from whatsrelated.kernels.scratch import keep_within, question_limits
from whatsrelated.options import configure

if TYPE_CHECKING:
    from whatsrelated.gaps.findings import Gaps
    from whatsrelated.graph.store import Store
    from whatsrelated.stream import Progress


class Audited:
    """What a site's owner should mend."""

    store: Store

    def gaps(
        self,
        *,
        ignore: str | Path | Iterable[str] = (),
        deadline: float | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> Gaps:
        """Missing and broken links, orphans, dead ends and the like, of all pages that were read.

        `ignore` is a file of dismissals, or its lines; `options` are those of `GapOptions`.
        Where it cannot be ready by `deadline`, a `time.monotonic()`, OutOfTime is raised, and
        that as soon as it is known.
        """
        from whatsrelated.gaps.dismissals import read_dismissals
        from whatsrelated.gaps.find import GapOptions, find_gaps

        if isinstance(ignore, str | Path):
            ignore = read_dismissals(ignore)
        require_iterable("gaps", "ignore", ignore)
        self.store.require_mapped()
        require_limits("gaps", deadline, sys.maxsize, progress)
        with keep_within(question_limits(deadline, sys.maxsize)):
            return find_gaps(self.store, configure(GapOptions, options), ignore, progress)
