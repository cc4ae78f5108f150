"""Which method finds the other members of a list, given two or three of them?

    python -m benchmarks.several DATA [--queries 100] [--seed 0] [--sets mdn,…] [--methods …]

DATA is the folder of link graphs that benchmarks.ground_truth reads.  The lists are "See also"
sections (MDN, PHP, PowerShell) and the pages of a category or topic (Wikispeedia, Cora,
CiteSeer).  The members of a list are queried two or three at a time.  A page is related if
some list contains it together with all of these (`related evaluate --together`).  Prints
capped recall@10, averaged over the queries.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks import ground_truth
from benchmarks.ground_truth import REQUEST, Collections, Data, TestCollection
from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.apps.evaluate.gold import GoldLinks, Judgments
from whatsrelated.apps.evaluate.list_members import MembersOfLists
from whatsrelated.methods import METHODS


def manual(name: str, title: str, data: Data) -> Iterator[TestCollection]:
    """A manual built from the links in its text, and its "See also" lists."""
    links, names = f"{name}/links.tsv.gz", f"{name}/pages.tsv.gz"
    graph = data.build(links, names_file=names, where="section=body")
    gold = GoldLinks(
        (str(data.folder / links),),
        names_files=(str(data.folder / names),),
        options=(("where", "section=see_also"),),
    )
    yield TestCollection(f"{title}, See also", graph, gold.judge(graph, data.graphs, 0)[1])


SETS: dict[str, Collections] = {
    "mdn": ground_truth.mdn,
    "php": partial(manual, "php", "PHP"),
    "powershell": partial(manual, "powershell", "PowerShell"),
    "wikispeedia": ground_truth.wikispeedia,
    "cora": ground_truth.SETS["cora"],
    "citeseer": ground_truth.SETS["citeseer"],
}
METHODS_COMPARED = ",".join(METHODS).replace("companion,", "companion,companion(several=union),")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--methods", default=METHODS_COMPARED)
    options = parser.parse_args()
    compared = contenders(options.methods, REQUEST)
    print("| list | members given | queries | " + " | ".join(one.label for one in compared) + " |")
    print("|---" * (len(compared) + 3) + "|", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        data = Data(options.data, Path(scratch))
        for name in options.sets.split(","):
            whole = next(SETS[name](data))
            for together in (2, 3):
                gold = MembersOfLists(whole.judgments, together)
                _, judgments = gold.judge(whole.graph, data.graphs, options.seed)
                drawn = Judgments(judgments.sample(options.queries, seed=options.seed).queries)
                one = TestCollection(whole.name, whole.graph, drawn)
                row = [f"{mean:.3f}" for mean in one.means(compared)]
                start = f"| {one.name} | {together} | {len(drawn.queries)} | "
                print(start + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
