"""How well does each method find what people call related?  Every method on every set.

    python -m benchmarks.ground_truth DATA [--sets mdn,california …] [--methods blend,walk …]
        [--queries 400] [--seed 0] [--half report]

DATA is a folder of link graphs with known related pages:

- MDN's "See also": find the pages that authors listed from the links in the text, for pages
  that list at least 3.  Once for all of them, and once only for those that the page does not
  link to, with linked pages left out of the answers too (capped recall@10);
- Wikispeedia's categories, Cora's and CiteSeer's topics, polblogs' camps: answers
  that share the most specific one with the query (precision at 10);
- held-out links: a fifth of all linked pairs must be found from the rest, for pages
  with at least 3 links (capped recall@10; all answers, and without pages still linked);
- "See also" sections of manuals packaged by Debian (--manuals /usr/share/doc), to be found
  from the other links of a page; no parameter of any method was fitted to these sites.

Queries are divided into two halves by a hash of their names: `blend` was tuned on the
half `tune`, and published figures come from the half `report`.

The gold, the trials and the measures come from `related evaluate`; this script only chooses links,
pages and queries.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np

import whatsrelated as wr
from benchmarks import manuals
from whatsrelated.apps.evaluate.contenders import Contender, contenders
from whatsrelated.apps.evaluate.experiment import Experiment
from whatsrelated.apps.evaluate.gold import GoldLinks, Judgments
from whatsrelated.apps.evaluate.held_out import links_of, remove_links
from whatsrelated.apps.evaluate.topics import topic_gold
from whatsrelated.apps.evaluate.trials import unlinked_gold
from whatsrelated.methods import METHODS

SLOW = {"hubfinder"}
"""Methods to leave out unless named: it looks for lists rather than similar pages, and is slow."""
PATIENCE = 3600.0
"""Seconds to wait for an answer; on a busy machine, some take minutes."""
HALVES = ("tune", "report")
REQUEST = {"chop": False}
"""Every page answers for itself, never the folder above it."""


@dataclass(frozen=True)
class TestCollection:
    """A graph, queries with their gold, and the measure."""

    name: str
    graph: wr.Graph
    judgments: Judgments
    measure: str = "capped_recall"
    unlinked: bool = False

    def drawn(self, count: int, seed: int, half: str) -> TestCollection:
        """The collection with `count` queries of one half, drawn by a seed."""
        gold = self.judgments.queries
        able = Judgments({query: gold[query] for query in gold if half in ("all", half_of(query))})
        return replace(self, judgments=able.sample(count, seed=seed))

    def means(self, compared: Sequence[Contender]) -> list[float]:
        """The mean of the measure over the queries, for each contender."""
        experiment = Experiment(self.judgments, compared, unlinked=self.unlinked, patience=PATIENCE)
        outcome, _ = experiment.measure(self.graph, self.judgments)
        for label, trials in outcome.answers.items():
            for trial in trials:
                if trial.error:
                    raise SystemExit(f"{self.name}: {label} failed on {trial.query}: {trial.error}")
        everything = outcome.groups[0]
        return [outcome.mean(each.label, self.measure, everything) or 0.0 for each in compared]


def half_of(query: str) -> str:
    return HALVES[crc32(query.encode()) & 1]


@dataclass(frozen=True)
class Data:
    """The data folder, the folder for built graphs, and the folder of Debian's manuals."""

    folder: Path
    graphs: Path
    manuals: Path = Path("/usr/share/doc")

    def build(self, *sources: str, **options: str | bool) -> wr.Graph:
        for option in ("names_file", "order_file"):
            if option in options:
                options[option] = str(self.folder / str(options[option]))
        paths = [self.folder / source for source in sources]
        return wr.build(paths, self.scratch(sources[0]), **options)

    def scratch(self, name: str) -> Path:
        return self.graphs / re.sub(r"\W+", "-", name)

    def rows(self, name: str) -> Iterator[list[str]]:
        opened = gzip.open if name.endswith(".gz") else open
        with opened(self.folder / name, "rt", encoding="utf-8") as file:
            lines = (line for line in file if line.strip() and not line.startswith("#"))
            yield from csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


Collections = Callable[[Data], Iterator[TestCollection]]


def mdn(data: Data) -> Iterator[TestCollection]:
    graph = data.build("mdn/links.tsv.gz", names_file="mdn/pages.tsv.gz", where="section=body")
    links, names = (str(data.folder / "mdn" / f"{name}.tsv.gz") for name in ("links", "pages"))
    gold = GoldLinks((links,), names_files=(names,), options=(("where", "section=see_also"),))
    _, judgments = gold.judge(graph, data.graphs, 0)
    return see_also("MDN", graph, judgments.sample(None, least=3))


def see_also(title: str, graph: wr.Graph, judgments: Judgments) -> Iterator[TestCollection]:
    """Everything that authors listed, and the part that the page does not link to."""
    yield TestCollection(f"{title}, See also", graph, judgments)
    unlinked = Judgments(unlinked_gold(graph, judgments.queries))
    yield TestCollection(f"{title}, See also, unlinked", graph, unlinked, unlinked=True)


def wikispeedia(data: Data) -> Iterator[TestCollection]:
    graph = data.build(
        "wikispeedia/articles.tsv",
        "wikispeedia/links.tsv.gz",
        order_file="wikispeedia/page_pos_dict.json.gz",
    )
    pairs = ((row[0], row[1]) for row in data.rows("wikispeedia/categories.tsv.gz"))
    return topics("Wikispeedia, categories", graph, pairs, data)


def citations(name: str, title: str, data: Data) -> Iterator[TestCollection]:
    graph = data.build(f"cora_citeseer/{name}_edges.tsv", ordered=False)
    pairs = ((row[0], row[2]) for row in data.rows(f"cora_citeseer/{name}_labels.tsv"))
    return topics(f"{title}, topics", graph, pairs, data)


def polblogs(data: Data) -> Iterator[TestCollection]:
    graph = data.build("polblogs/polblogs.gml.gz", ordered=False)
    with gzip.open(data.folder / "polblogs/polblogs.gml.gz", "rt") as file:
        pairs = re.findall(r'label "([^"]*)"\s+value (\d)', file.read())
    return topics("polblogs, camps", graph, pairs, data)


def topics(
    title: str, graph: wr.Graph, pairs: Iterable[tuple[str, str]], data: Data
) -> Iterator[TestCollection]:
    """Pages that share a topic, among pages with a link."""
    file = data.scratch(f"{title}.topics")
    linked = (pair for pair in pairs if has_link(graph, graph.store.look_up(pair[0])))
    file.write_text("".join(f"{page}\t{topic}\n" for page, topic in linked), encoding="utf-8")
    yield TestCollection(title, graph, topic_gold(file, graph), "precision")


def has_link(graph: wr.Graph, page: int | None) -> bool:
    return page is not None and bool(len(graph.links_from(page)) + len(graph.links_to(page)))


def held_out_from(
    title: str, source: str, data: Data, **options: str | bool
) -> Iterator[TestCollection]:
    return held_out(title, data.build(source, urls="keep", **options), data)


def held_out(title: str, whole: wr.Graph, data: Data) -> Iterator[TestCollection]:
    graph, judgments = split(whole, data.scratch(f"{title} without some links"))
    yield TestCollection(f"{title}, held out", graph, judgments)
    yield TestCollection(f"{title}, held out, unlinked", graph, judgments, unlinked=True)


def own_links(title: str, collections: Collections, data: Data) -> Iterator[TestCollection]:
    """Links held out of a graph that also has other gold."""
    return held_out(title, next(collections(data)).graph, data)


def split(
    whole: wr.Graph, folder: Path, share: float = 0.2, least: int = 3, seed: int = 0
) -> tuple[wr.Graph, Judgments]:
    """The graph without a share of its links, and the removed links as judgments.

    `blend` was tuned and published with this draw, which depends on the names of both
    pages.  Queries have at least `least` links, of which 2 are left; other pages keep any
    link.  `related evaluate --hold-out` draws differently: it keeps the last link of a page.
    """
    urls = [whole.url(page) for page in range(len(whole))]
    links = zip(*(ends.tolist() for ends in links_of(whole)), strict=True)
    held = [drawn_by(urls[source], urls[target], seed) < share for source, target in links]
    graph, judgments = remove_links(whole, np.array(held, bool), folder)
    queries = {
        query: {page: rating for page, rating in gold.items() if has_link(graph, graph.page(page))}
        for query, gold in judgments.queries.items()
        if len(whole.links_from(whole.page(query))) >= least
        and len(graph.links_from(graph.page(query))) >= 2
    }
    return graph, Judgments({query: gold for query, gold in queries.items() if gold})


def drawn_by(one: str, other: str, seed: int) -> float:
    """A number from 0 to 1 that depends on two names, in either order, and the seed."""
    return crc32("\n".join([str(seed), *sorted((one, other))]).encode()) / 2**32


def manual(name: str, data: Data) -> Iterator[TestCollection]:
    """The pages that a manual lists under "See also", from the links elsewhere on its pages."""
    pages, gold = manuals.read(data.manuals, name)
    graph = wr.build(pages, data.scratch(name), urls="keep")
    yield from see_also(name, graph, Judgments({q: dict.fromkeys(gold[q], 1.0) for q in gold}))
    yield from held_out(name, graph, data)


SETS: dict[str, Collections] = {
    "mdn": mdn,
    "wikispeedia": wikispeedia,
    "cora": partial(citations, "cora", "Cora"),
    "citeseer": partial(citations, "citeseer", "CiteSeer"),
    "polblogs": polblogs,
    **{
        topic: partial(held_out_from, f"Toronto {topic.replace('_', ' ')}", source, **names)
        for topic, source, names in [
            (
                "randomized_algorithms",
                "toronto/randomized_algorithms/adj_list",
                {"names_file": "toronto/randomized_algorithms/nodes"},
            ),
            (
                "computational_complexity",
                "toronto/computational_complexity/adj_list",
                {"names_file": "toronto/computational_complexity/nodes"},
            ),
            (
                "search_engines",
                "toronto/search_engines/adj_list.gz",
                {"names_file": "toronto/search_engines/nodes.gz"},
            ),
            ("movies", "toronto/movies/adj_list", {}),
            ("recipes", "toronto/recipes/adj_list", {}),
            ("genetic", "toronto/genetic/genetic.dat", {}),
        ]
    },
    "california": partial(held_out_from, "California", "california/gr0.California"),
    "epa": partial(held_out_from, "EPA", "epa/gr0.Epa"),
    "hollins": partial(
        held_out_from,
        "Hollins",
        "hollins/hollins_edges.txt",
        names_file="hollins/hollins_urls.txt",
        ordered=False,
    ),
    "cs_stanford": partial(
        held_out_from,
        "CS Stanford",
        "cs_stanford/edges.tsv",
        names_file="cs_stanford/labels.txt",
        ordered=False,
    ),
    "mdn_links": partial(own_links, "MDN", mdn),
    "wikispeedia_links": partial(own_links, "Wikispeedia", wikispeedia),
    "cora_links": partial(own_links, "Cora", partial(citations, "cora", "Cora")),
    "citeseer_links": partial(own_links, "CiteSeer", partial(citations, "citeseer", "CiteSeer")),
    "polblogs_links": partial(own_links, "polblogs", polblogs),
    "harvard": partial(
        held_out_from,
        "Harvard",
        "harvard500/edges.tsv",
        names_file="harvard500/urls.tsv",
        ordered=False,
    ),
    "obsidian": partial(
        held_out_from,
        "Obsidian's help",
        "obsidian_help/links.tsv.gz",
        names_file="obsidian_help/pages.tsv.gz",
    ),
    **{name: partial(manual, name) for name in manuals.MANUALS},
}


def add_drawing(parser: argparse.ArgumentParser) -> None:
    """The options that choose the queries."""
    parser.add_argument("data", type=Path)
    parser.add_argument("--queries", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--half", choices=(*HALVES, "all"), default="report")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    add_drawing(parser)
    parser.add_argument(
        "--sets", default=",".join(name for name in SETS if name not in manuals.MANUALS)
    )
    parser.add_argument("--manuals", type=Path, default=Data.manuals)
    parser.add_argument("--methods", default=",".join(name for name in METHODS if name not in SLOW))
    parser.add_argument("--graphs", type=Path, help="a folder to build graphs in")
    options = parser.parse_args()
    compared = contenders(options.methods, REQUEST)
    print("| set | queries | " + " | ".join(each.label for each in compared) + " |")
    print("|---" * (len(compared) + 2) + "|")
    with tempfile.TemporaryDirectory() as scratch:
        data = Data(options.data, options.graphs or Path(scratch), options.manuals)
        for name in options.sets.split(","):
            for whole in SETS[name](data):
                one = whole.drawn(options.queries, options.seed, options.half)
                row = [f"{mean:.3f}" for mean in one.means(compared)]
                queries = len(one.judgments.queries)
                print(f"| {one.name} | {queries} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
