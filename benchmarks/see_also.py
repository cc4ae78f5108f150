"""How much of MDN's "See also" does each method find, from the links in the text alone?

    related build DATA/mdn/links.tsv.gz --where section=body \
        --names-file DATA/mdn/pages.tsv.gz -o mdn.graph
    python -m benchmarks.see_also DATA/mdn mdn.graph [--queries 400] [--seed 0]

Recall among the first 10, over as many pages as could be found: of all gold,
and of the gold that the page does not link to, linked pages left out of the
answers too.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from pathlib import Path
from statistics import median

import whatsrelated as wr
from whatsrelated.evaluation.gold import Judgments
from whatsrelated.evaluation.trials import ask, measured, without_linked
from whatsrelated.methods import METHODS, method_named

SLOW = {"pagesim", "simrank", "hubfinder"}


def see_also(folder: Path, graph: wr.Graph) -> Judgments:
    """The links of the sections "See also" as gold, where the graph has both pages."""
    with gzip.open(folder / "pages.tsv.gz", "rt", encoding="utf-8") as file:
        urls = {row["id"]: row["url"] for row in csv.DictReader(file, delimiter="\t")}
    known = {number: graph.store.look_up(url) for number, url in urls.items()}
    queries: dict[str, dict[str, float]] = {}
    with gzip.open(folder / "links.tsv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            query, page = known[row["src"]], known[row["dst"]]
            if row["section"] == "see_also" and None not in (query, page) and query != page:
                queries.setdefault(graph.url(query), {})[graph.url(page)] = 1.0
    return Judgments(queries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("graph")
    parser.add_argument("--queries", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    graph = wr.open(asked.graph)
    judged = see_also(asked.folder, graph).sample(asked.queries, least=3, seed=asked.seed)
    unlinked = without_linked(graph, judged)
    print(f"{len(judged.queries)} queries, {len(unlinked)} with gold that is not linked")
    print(f"{'method':22}{'all':>8}{'unlinked':>10}{'ms':>8}")
    for name in [name for name in METHODS if name not in SLOW]:
        method = method_named(name)()
        answers = ask(graph, method, list(judged.queries))
        beyond = ask(graph, method, list(unlinked), unlinked=True)
        print(
            f"{name:22}{measured(answers, judged.queries).recall:8.3f}"
            f"{measured(beyond, unlinked).recall:10.3f}"
            f"{median(one.milliseconds for one in answers):8.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
