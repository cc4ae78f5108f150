"""The results of a study: one rating per page, the judges' agreement and DH99's tables.

If several judges rated a page, it counts as unopened when more than half of them could not open it.
Otherwise its rating is the median of the other ratings, or the lower of two medians. The tables
count the queries that have a rating (DH99, sec. 4.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from statistics import median_low
from typing import TYPE_CHECKING, Any

from whatsrelated.apps.evaluate.experiment import Findings
from whatsrelated.apps.evaluate.outcome import Outcome
from whatsrelated.apps.evaluate.tables import ResultTable
from whatsrelated.apps.study.agreement import cohen, fleiss
from whatsrelated.apps.study.plan import UNOPENED
from whatsrelated.machine.files import write_file

if TYPE_CHECKING:
    from whatsrelated.apps.study.journal import Journal


def combined(ratings: Sequence[int]) -> int:
    """Combine the ratings of several judges."""
    opened = [rating for rating in ratings if rating != UNOPENED]
    return median_low(opened) if 2 * len(opened) >= len(ratings) else UNOPENED


@dataclass(frozen=True)
class StudyResults:
    """The ratings of a study, and the results derived from them."""

    journal: Journal

    @cached_property
    def ratings(self) -> dict[tuple[str, str], dict[str, int]]:
        """The ratings of each rated query and page, by judge."""
        pooled = {
            (query, page.url) for query, pool in self.journal.pools.items() for page in pool.pages
        }
        ratings: dict[tuple[str, str], dict[str, int]] = {}
        for (judge, query, page), rating in sorted(self.journal.ratings.items()):
            if (query, page) in pooled:
                ratings.setdefault((query, page), {})[judge] = rating
        return ratings

    @cached_property
    def queries(self) -> list[str]:
        """The queries with at least one rated page."""
        rated = {query for query, _ in self.ratings}
        return [query for query in self.journal.pools if query in rated]

    @cached_property
    def findings(self) -> Findings:
        """The study as findings of `related evaluate`; unrated pages count as unrelated."""
        plan = self.journal.plan
        golds: dict[str, dict[str, float]] = {query: {} for query in self.queries}
        for query, page, rating in self.rows():
            golds[query][page] = float(rating)
        outcome = Outcome(
            golds,
            {
                label: [trial for trial in trials if trial.query in golds]
                for label, trials in self.journal.answers.items()
            },
            {query: self.journal.pools[query].in_links for query in golds},
            frozenset(plan.unknown),
            tuple(plan.runs),
        )
        about = {
            "graph": {"name": plan.graph, "pages": plan.n_pages, "links": plan.links},
            "gold": f"a study with {len(self.progress)} judges",
            "unlinked": False,
            "limit": plan.depth,
        }
        return Findings(outcome, about)

    def rows(self) -> Iterator[tuple[str, str, int]]:
        """Each query and page with its combined rating."""
        for (query, page), by_judge in self.ratings.items():
            yield query, page, combined(list(by_judge.values()))

    def size(self, judge: str) -> int:
        """The number of pages that a judge has to rate."""
        return sum(len(pool.pages) for pool in self.journal.pools_of(judge))

    @cached_property
    def progress(self) -> dict[str, int]:
        """The number of pages that each judge has rated."""
        return {
            name: sum(name in page_ratings for page_ratings in self.ratings.values())
            for name in self.journal.judges
        }

    def pairs(self) -> list[tuple[str, str, int, float | None]]:
        """For each pair of judges, the number of pages that both rated, and Cohen's κ.

        If judges rate their own pages, only pairs with pages in common are listed.
        """
        rows = []
        for one, two in combinations(self.journal.judges, 2):
            both = [(r[one], r[two]) for r in self.ratings.values() if one in r and two in r]
            if both or not self.journal.plan.own:
                rows.append((one, two, len(both), cohen(both)))
        return rows

    def fleiss(self) -> tuple[int, float | None]:
        """The number of pages that all judges rated, and Fleiss' κ over these."""
        judges = self.journal.judges
        items = [list(r.values()) for r in self.ratings.values() if len(r) == len(judges)]
        return len(items), fleiss(items)

    def agreement(self) -> ResultTable:
        """Progress and agreement, as a table."""
        count, value = self.fleiss()
        rows: list[tuple[Any, ...]] = [(f"{x}, {y}", "Cohen", n, k) for x, y, n, k in self.pairs()]
        return ResultTable(
            "Agreement between judges",
            "Cohen's kappa for each pair of judges, over the pages that both rated; "
            "Fleiss' kappa over the pages that all judges rated.",
            ("judges", "kappa", "pages", "value"),
            (*rows, ("all", "Fleiss", count, value)),
        )

    def as_dict(self) -> dict[str, Any]:
        """Progress, agreement and every rating, as plain values."""
        count, value = self.fleiss()
        return {
            "judges": [
                {"name": name, "rated": n, "to_rate": self.size(name)}
                for name, n in self.progress.items()
            ],
            "cohen": [{"x": x, "y": y, "pages": n, "kappa": k} for x, y, n, k in self.pairs()],
            "fleiss": {"pages": count, "kappa": value},
            "ratings": [
                {
                    "query": query,
                    "page": page,
                    "rating": combined(list(page_ratings.values())),
                    "by": page_ratings,
                }
                for (query, page), page_ratings in self.ratings.items()
            ],
        }

    def write(self, folder: str | Path) -> list[Path]:
        """Write the combined ratings, which `related evaluate` reads, and those of each judge."""
        rows = list(self.rows())
        texts = {
            "qrels.txt": "".join(f"{q}\t0\t{page}\t{rating}\n" for q, page, rating in rows),
            "ratings.tsv": "".join(f"{q}\t{page}\t{rating}\n" for q, page, rating in rows),
            "judges.tsv": "judge\tquery\tpage\trating\n"
            + "".join(
                f"{judge}\t{query}\t{page}\t{rating}\n"
                for (query, page), page_ratings in self.ratings.items()
                for judge, rating in page_ratings.items()
            ),
        }
        for name, text in texts.items():
            write_file(Path(folder, name), text, parents=True)
        return [Path(folder, name) for name in texts]
