"""How good is the default on sets that were not used to fit it?

    python -m benchmarks.leave_one_out SETS [--sets git,php …] [--queries 400] [--seed 0]
        [--as-it-is | --ablations]

SETS is a folder of sets made by `benchmarks.sets`; docs/reports/default.md has the commands.
Random queries of each set measure capped recall@10 (precision for labels), for all of the gold
and for the gold that a page does not link to:

- *left out*: the product of walk, proximity and coupling with numbers chosen on the other sets
  only, by the mean logarithm of the ratio to the plain sum; a loss counts as much as three gains;
- `blend` itself, from links alone and with names, each with p of a paired Wilcoxon test against
  the plain sum.  --as-it-is prints only these, for held-out sets.  Significant losses
  (p < 0.05) follow the table, also with Holm's correction for all comparisons of the table;
- with --ablations instead, what each number of `blend` contributes: the geometric mean over all
  sets and both measures of the ratio to the plain sum, with and without that number.

The plain sum is walk, a quarter of cpa and a quarter of coupling, with the scores of these
methods divided by their maxima.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import wilcoxon

import whatsrelated as wr
from benchmarks.sets import collection
from whatsrelated.graph import Store
from whatsrelated.methods import blend
from whatsrelated.methods.blend import FORMULA, BlendFormula, BlendVicinity
from whatsrelated.stream import Page

Numbers = NDArray[np.float64]
VARIED = {
    "faint": (0.005, 0.01, 0.015),
    "proximity_doubt": (0.5, 0.75, 1.0),
    "coupling_doubt": (0.75, 1.0, 1.5),
    "popular_power": (0.0, 0.15, 0.3),
}
GRID = [
    replace(FORMULA, **dict(zip(VARIED, values, strict=True)))
    for values in itertools.product(*VARIED.values())
]
"""The candidate settings."""
NEVER = 1e6
"""A doubt so large that its signal does not count."""
ABLATIONS = {
    "walk_doubt": {"walk_doubt": NEVER},
    "proximity_doubt": {"proximity_doubt": NEVER},
    "coupling_doubt": {"coupling_doubt": NEVER},
    "walk_power": {"walk_power": 0},
    "restart 0.15": {"restart": 0.15},
    "faint": {"faint": 0},
    "popular_power": {"popular_power": 0},
    "known_power": {"known_power": 0},
    "outside": {"outside": 1},
    "none: links alone": {},
}
"""For each number, the change that removes it."""
PARENTS = 2000
"""The maximum number of parents to read, as in `blend`."""
LOSS = 3
"""How many gains outweigh a loss against the plain sum, so no set is sacrificed for the rest."""


@dataclass
class Query:
    """A page of a set, the pages found around it, its gold, and the pages it links to."""

    page: int
    vicinity: BlendVicinity
    walked: Numbers
    gold: set[int]
    linked: set[int]

    def product(self, formula: BlendFormula) -> Numbers:
        """The scores of a formula that multiplies the current parts, from links alone."""
        return blend.product(formula.factors(self.vicinity, names=False))

    def plain_sum(self) -> Numbers:
        """Walk, a quarter of cpa and a quarter of coupling, each divided by its maximum."""
        _, near, coupled = map(_over_largest, self.vicinity.parts)
        return np.asarray(_over_largest(self.walked) + 0.25 * near + 0.25 * coupled)

    def ranked(self, scores: Numbers) -> list[int]:
        """The best pages, enough of them to leave out those that are linked."""
        store, pages = self.vicinity.question.store, self.vicinity.pages
        return ranked(store, pages, scores, 10 + len(self.linked))

    def measures(self, answer: list[int], precision: bool) -> tuple[float, float]:
        return measures(answer, self.gold, self.linked, precision)


def ranked(store: Store, pages: NDArray[np.uint32], scores: Numbers, count: int) -> list[int]:
    """The pages with the highest scores, in the order of an answer."""
    rounded = np.round(scores / scores.max(), 9)
    order = np.lexsort((pages, store.in_degree(pages), -rounded))
    found: list[int] = pages[order[:count]].tolist()
    return found


def measures(
    answer: list[int], gold: set[int], linked: set[int], precision: bool
) -> tuple[float, float]:
    """Capped recall@10 for all gold, and for gold that is not linked; or precision."""
    fresh = [page for page in answer if page not in linked]
    both = []
    for listed, wanted in ((answer, gold), (fresh, gold - linked)):
        hits = sum(page in wanted for page in listed[:10])
        most = 10 if precision else min(10, len(wanted))
        both.append(hits / most if wanted else float("nan"))
    return both[0], both[1]


def _over_largest(part: Numbers) -> Numbers:
    largest = float(part.max())
    return part / largest if largest > 0 else part


class Collection:
    """A set with its graph and the queries that were drawn."""

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        about, pages, links, gold = collection.read(folder)
        names = [row[0] for row in pages]
        targets: list[list[str]] = [[] for _ in names]
        for source, target in links:
            targets[source].append(names[target])
        self.name, self.precision = folder.name, about["measure"] == "precision"
        texts = collection.read_texts(folder)
        self.has_text = bool(texts)
        self.graph = wr.Graph.from_pages(
            (
                Page(row[0], to, row[1] or None, text or None, read=row[2] == "1")
                for row, to, text in zip(pages, targets, texts or [""] * len(pages), strict=True)
            ),
            urls="keep",
            ordered=about["ordered"],
            text=self.has_text,
        )
        numbers = [self.graph.page(name) for name in names]
        degrees = self.graph.store.in_degree(np.arange(len(self.graph)))
        degrees = degrees + self.graph.store.out_degree(np.arange(len(self.graph)))
        listed: dict[int, set[int]] = {}
        for query, page in ((numbers[query], numbers[page]) for query, page in gold):
            if query != page and degrees[query] and degrees[page]:
                listed.setdefault(query, set()).add(page)
        drawn = random.Random(seed).sample(sorted(listed), min(count, len(listed)))
        self.gold = {query: listed[query] for query in sorted(drawn)}

    @cached_property
    def queries(self) -> list[Query]:
        store, found = self.graph.store, []
        for page, gold in self.gold.items():
            vicinity = blend.gather(self.graph.question([page], site="page"), PARENTS, FORMULA)
            walked = dict(self.walk(page))
            alone = np.array([walked.get(other, 0.0) for other in vicinity.pages.tolist()])
            linked = set(store.links_from(page).tolist())
            found.append(Query(page, vicinity, alone, gold, linked))
        return found

    def gathered(self, formula: BlendFormula) -> Collection:
        """The same with the parts that a formula uses: another restart finds other pages."""
        other = copy(self)
        other.queries = [
            replace(query, vicinity=blend.gather(query.vicinity.question, PARENTS, formula))
            for query in self.queries
        ]
        return other

    def walk(self, page: int) -> Iterator[tuple[int, float]]:
        """The scores of the method walk, which differs slightly from the walk in blend."""
        url = self.graph.url(page)
        for result in self.graph.related(url, by="walk", limit=len(self.graph), chop=False):
            yield result.page, result.score

    def measures(self, formula: BlendFormula | None) -> Numbers:
        """Both measures of each query, for a formula or the plain sum."""
        rows = []
        for query in self.queries:
            scores = query.plain_sum() if formula is None else query.product(formula)
            rows.append(query.measures(query.ranked(scores), self.precision))
        return np.array(rows)

    def default(self, names: bool, text: bool = False) -> Numbers:
        """The same for `blend` itself."""
        rows = []
        for query in self.queries:
            most = 10 + len(query.linked)
            answer = self.graph.related(
                self.graph.url(query.page),
                by=blend.Blend(compare_names=names, text="on" if text else "off"),
                limit=most,
                chop=False,
            )
            rows.append(query.measures([result.page for result in answer], self.precision))
        return np.array(rows)


def chance(rows: Numbers, others: Numbers, measure: int) -> float:
    """The p of a paired test of two lists of figures."""
    apart = np.round((rows - others)[:, measure], 9)
    apart = apart[~np.isnan(apart)]
    return float(wilcoxon(apart).pvalue) if apart.any() else 1.0


def shown(rows: Numbers, plain: Numbers | None = None) -> str:
    """The means of both measures, and the p of each against the plain sum."""
    every, fresh = np.nanmean(rows, axis=0)
    figures = f"{every:.3f} / {fresh:.3f}"
    if plain is None:
        return figures
    return f"{figures} (p {chance(rows, plain, 0):.2g} / {chance(rows, plain, 1):.2g})"


class Comparisons:
    """All paired tests so far, for Holm's correction."""

    def __init__(self) -> None:
        self.made: list[tuple[float, str]] = []

    def add(self, label: str, rows: Numbers, others: Numbers) -> None:
        """Compare both measures of two methods."""
        for measure, kind in enumerate(("all", "not linked")):
            less = np.nanmean(others[:, measure]) - np.nanmean(rows[:, measure])
            lost = f"{label}, {kind}, {-less / np.nanmean(others[:, measure]):+.1%}"
            self.made.append((chance(rows, others, measure), lost if less > 0 else ""))

    def summary(self) -> str:
        """The significant losses, with p and p after Holm's correction."""
        corrected, losses = 0.0, []
        for place, (p, lost) in enumerate(sorted(self.made)):
            corrected = max(corrected, min(1.0, p * (len(self.made) - place)))
            if lost and p < 0.05:
                losses.append(f"{lost} (p {p:.2g}, Holm {corrected:.2g})")
        return f"{len(self.made)} comparisons; significantly below: {'; '.join(losses) or 'none'}"


def log_ratios(rows: list[Numbers], plain: list[Numbers]) -> Numbers:
    """The logarithm of each set's ratio to the plain sum, for both measures."""
    means, base = (np.array([np.nanmean(one, axis=0) for one in both]) for both in (rows, plain))
    return np.log(np.maximum(means, 1e-3) / np.maximum(base, 1e-3))


def print_ablations(sets: list[Collection], plain: list[Numbers]) -> None:
    """The ratio to the plain sum without each number."""
    print("| without | times the plain sum |\n|---|---|")
    for label, changes in ABLATIONS.items():
        formula = replace(FORMULA, **changes)
        gains = log_ratios([one.gathered(formula).measures(formula) for one in sets], plain)
        print(f"| {label} | {np.exp(gains.mean()):.3f} |", flush=True)
    named = log_ratios([one.default(True) for one in sets], plain)
    print(f"| none: with names | {np.exp(named.mean()):.3f} |")


def left_out(sets: list[Collection], plain: list[Numbers]) -> list[str]:
    """For each set, the setting chosen by the others, and its figures there."""
    gains = np.array([log_ratios([one.measures(each) for one in sets], plain) for each in GRID])
    gains = np.where(gains < 0, LOSS * gains, gains).mean(axis=2)
    cells = []
    for place, one in enumerate(sets):
        picked = GRID[int(np.argmax(np.delete(gains, place, axis=1).mean(axis=1)))]
        numbers = ", ".join(f"{getattr(picked, name):g}" for name in VARIED)
        cells.append(f"{shown(one.measures(picked), plain[place])} | {numbers}")
    return cells


def main() -> None:
    parser = collection.arguments(__doc__, queries=400)
    parser.add_argument("--as-it-is", action="store_true")
    parser.add_argument("--ablations", action="store_true")
    asked = parser.parse_args()
    names = collection.names_of(asked)
    sets = [Collection(asked.folder / name, asked.queries, asked.seed) for name in names]
    plain = [one.measures(None) for one in sets]
    if asked.ablations:
        print_ablations(sets, plain)
        return
    chosen = [] if asked.as_it_is or len(sets) < 2 else left_out(sets, plain)
    head = ["set", "asked", "plain sum", *(["product, left out", "picked"] if chosen else [])]
    head += ["blend, links alone", "blend"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    made = Comparisons()
    for place, one in enumerate(sets):
        cells = [one.name, str(len(one.gold)), shown(plain[place]), *chosen[place : place + 1]]
        for kind, rows in (("links alone", one.default(False)), ("names", one.default(True))):
            cells.append(shown(rows, plain[place]))
            made.add(f"{one.name}, {kind}", rows, plain[place])
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{made.summary()}")


if __name__ == "__main__":
    main()
