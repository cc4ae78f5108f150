"""Does a strength mean the same in graphs of many sites?

    python -m benchmarks.reliability SETS [--sets california,polblogs …] [--queries 200] [--seed 0]
        [--refit] [--grades] [--kind names]

Tested on the sample Web, where pages of one topic belong together, and on the sets of SETS made
by `benchmarks.sets`: labels, or links held out of a crawl.  The first 20 answers that a query
does not link to are grouped by strength, and each group's strength is compared with its share of
correct answers.

The error is the Brier score.  *Left out* is a separate strength for many sites: a logistic
regression of "is correct" on the log odds, fitted on the other sets with equal weights.
*Of its kind* is the same, fitted on the other sets of the same kind (labels or held-out links).
The last column predicts the mean of the other sets for every answer.

--refit prints new values for `STEEPNESS` and `EVEN` of `methods.blend`, by the same regression
over the sets of SETS with equal weights; give it sets of one site with "See also" lists.

--grades prints the share of correct answers for each word for a strength (strong, likely,
possible, weak): over all answers, and the median and the range over the sets.  --kind chooses
the strengths: with text, with names (the default) or from links alone.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import whatsrelated as wr
from benchmarks.leave_one_out import Collection
from whatsrelated import sample
from whatsrelated.contract.strength import GRADES, WEAK, grade_of
from whatsrelated.methods.blend import EVEN, STEEPNESS, Blend
from whatsrelated.sample.topics import read_topics

Numbers = NDArray[np.float64]
SETS = "polblogs,california,epa,randomized_algorithms,computational_complexity,search_engines"
CLASSES = (0, 0.1, 0.2, 0.4, 0.6, 0.8, 1)
ASKED = 20
MIN_ANSWERS = 10
"""With fewer answers of a grade, a set is left out."""


def sample_gold(graph: wr.Graph) -> dict[int, set[int]]:
    """For each site of the sample Web, the other sites of its topics."""
    gold: dict[int, set[int]] = {}
    for topic in read_topics().values():
        pages = {graph.page(site.url) for site in topic.sites}
        for page in pages:
            gold.setdefault(page, set()).update(pages - {page})
    return gold


def answers(graph: wr.Graph, gold: dict[int, set[int]], kind: str = "names") -> Numbers:
    """The strength of each answer, and whether it is right."""
    method = Blend(compare_names=kind != "links", text="on" if kind == "text" else "off")
    asker, rows = graph.asker(method, limit=ASKED, chop=False, new=True), []
    for page, right in gold.items():
        best, _ = asker.best(page)
        rows += [
            (strength, other in right)
            for other, strength in zip(best.pages.tolist(), best.scores.tolist(), strict=True)
        ]
    return np.array(rows, np.float64).T


def odds(strengths: Numbers) -> Numbers:
    clipped = np.clip(strengths, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(clipped / (1 - clipped)))


def fit(sets: list[Numbers]) -> Numbers:
    """The two coefficients of the logistic regression, with equal weights for all sets."""

    def loss(numbers: Numbers) -> float:
        lost = 0.0
        for strengths, right in sets:
            said = numbers[0] + numbers[1] * odds(strengths)
            lost += float(np.mean(np.logaddexp(0, said) - right * said))
        return lost

    return np.asarray(minimize(loss, np.array([0.0, 1.0]), method="Nelder-Mead").x)


def refitted(strengths: Numbers, others: list[Numbers]) -> Numbers:
    """Strengths corrected by a regression that was fitted on other sets."""
    numbers = fit(others)
    return np.asarray(1 / (1 + np.exp(-numbers[0] - numbers[1] * odds(strengths))))


def print_refit(sets: list[Collection]) -> None:
    """The values that fit these sets best: with text, with names, and from links alone."""
    for kind in ("text", "names", "links"):
        used = [one for one in sets if one.has_text or kind != "text"]
        if not used:
            continue
        found = [answers(one.graph, one.gold, kind) for one in used]
        level, slope = fit(found)
        steepness = STEEPNESS[kind] * slope
        even = EVEN[kind] * np.exp(-level / steepness)
        print(f"{kind}: STEEPNESS {steepness:.2f}, EVEN {even:.2f}", flush=True)


def print_grades(sets: list[Collection], kind: str) -> None:
    """The share of answers that are right for each grade."""
    grades: dict[str, list[Numbers]] = {grade: [] for grade in (*GRADES, WEAK)}
    for one in sets:
        strengths, right = answers(one.graph, one.gold, kind)
        own = np.array([grade_of(strength) for strength in strengths])
        for grade, shares in grades.items():
            shares.append(right[own == grade])
    print("| grade | strength from | answers | right | median of the sets | from | to |")
    print("|---|---|---|---|---|---|---|")
    for grade, shares in grades.items():
        means = [float(one.mean()) for one in shares if len(one) >= MIN_ANSWERS]
        every = np.concatenate(shares)
        spread = np.median(means), min(means), max(means)
        cells = [grade, f"{GRADES.get(grade, 0):g}", f"{len(every):,}", f"{every.mean():.2f}"]
        print(f"| {' | '.join([*cells, *(f'{share:.2f}' for share in spread)])} |")


def collections(asked: argparse.Namespace) -> Iterator[tuple[str, bool, Numbers]]:
    """The name of each set, whether its gold consists of labels, and its answers."""
    graph = wr.Graph.from_pages(sample.pages())
    yield "sample Web", True, answers(graph, sample_gold(graph))
    for name in asked.sets.split(","):
        one = Collection(asked.folder / name, asked.queries, asked.seed)
        yield name, one.precision, answers(one.graph, one.gold)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--refit", action="store_true")
    parser.add_argument("--grades", action="store_true")
    parser.add_argument("--kind", choices=tuple(STEEPNESS), default="names")
    asked = parser.parse_args()
    if asked.refit or asked.grades:
        names = asked.sets.split(",")
        sets = [Collection(asked.folder / name, asked.queries, asked.seed) for name in names]
        if asked.refit:
            print_refit(sets)
        else:
            print_grades(sets, asked.kind)
        return
    found = list(collections(asked))
    titles = [f"{low:g}–{high:g}" for low, high in itertools.pairwise(CLASSES)]
    head = ["set", "answers", "right", *titles, "error", "left out", "of its kind"]
    head.append("mean of the others")
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for name, labels, (strengths, right) in found:
        others = [rows for other, _, rows in found if other != name]
        same_kind = [rows for other, kind, rows in found if other != name and kind == labels]
        cells = [name, f"{len(right):,}", f"{right.mean():.2f}"]
        for low, high in itertools.pairwise(CLASSES):
            there = (strengths >= low) & (strengths < high)
            cells.append(f"{right[there].mean():.2f} ({there.sum():,})" if there.any() else "")
        mean = np.mean([rows[1].mean() for rows in others])
        predictions = strengths, refitted(strengths, others), refitted(strengths, same_kind), mean
        cells += [f"{np.mean((predicted - right) ** 2):.3f}" for predicted in predictions]
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\nFitted on all: {fit([rows for _, _, rows in found]).round(2).tolist()}")


if __name__ == "__main__":
    main()
