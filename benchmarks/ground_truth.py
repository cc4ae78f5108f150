"""How well does each method find what people said is related?  Every method on every set.

    python -m benchmarks.ground_truth DATA [--sets mdn,california …] [--methods blend,walk …]
        [--queries 400] [--seed 0] [--half report]

DATA is a folder of link graphs with what is known about their pages:

- MDN's "See also": from the links in the text alone, the pages that authors listed
  there; queries with at least 3, all of the gold, and the gold that the page does
  not link to, linked pages left out of the answers too (recall at 10);
- Wikispeedia's categories, Cora's and CiteSeer's topics, polblogs' camps: answers
  that share the finest one with the query (precision at 10);
- links held out: a fifth of all pairs of linked pages, which are to be found from the
  rest, for pages of 3 links or more (recall at 10; all answers, and without pages
  that are still linked);
- "See also" of manuals as Debian packs them (--manuals /usr/share/doc), from the links
  elsewhere on the page: sites that no number of a method was fitted to.

Queries are cut in two halves by a hash of their names: `blend` was settled on the
half `tune`, and what is published is of the half `report`.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from statistics import mean, median
from zlib import crc32

import whatsrelated as wr
from benchmarks import manuals
from whatsrelated.evaluation.contenders import contenders
from whatsrelated.methods import METHODS, Method
from whatsrelated.stream import Page

SLOW = {"hubfinder"}
"""Left out unless named: they look for other things than a page's likes, and take long."""
HALVES = ("tune", "report")

Gold = dict[str, set[str]]


@dataclass(frozen=True)
class Set:
    """Queries with their gold on a graph, and how answers to them are counted."""

    name: str
    graph: wr.Graph
    gold: Gold
    measure: str = "recall"
    unlinked: bool = False

    def drawn(self, count: int, seed: int, half: str) -> Set:
        """`count` queries of one half, drawn by a seed."""
        able = sorted(query for query in self.gold if half in ("all", half_of(query)))
        drawn = random.Random(seed).sample(able, min(count, len(able)))
        return replace(self, gold={query: self.gold[query] for query in sorted(drawn)})

    def score(self, method: Method, query: str) -> tuple[float, float]:
        """How good the method's answer is, and the milliseconds that it took."""
        linked = linked_from(self.graph, query) if self.unlinked else set()
        answer = self.graph.related(query, by=method, limit=10 + len(linked), chop=False)
        urls = [result.url for result in answer if result.url not in linked]
        gold = self.gold[query]
        hits = sum(url in gold for url in urls[:10])
        possible = min(10, len(gold)) if self.measure == "recall" else 10
        return hits / possible, answer.took_ms


def half_of(query: str) -> str:
    return HALVES[crc32(query.encode()) & 1]


@dataclass(frozen=True)
class Data:
    """The folder, where graphs made of it are kept, and where Debian keeps manuals."""

    folder: Path
    graphs: Path
    manuals: Path = Path("/usr/share/doc")

    def built(self, *sources: str, **options: str | bool) -> wr.Graph:
        path = self.graphs / re.sub(r"\W+", "-", sources[0])
        for option in ("names_file", "order_file"):
            if option in options:
                options[option] = str(self.folder / str(options[option]))
        return wr.build([self.folder / source for source in sources], path, **options)

    def rows(self, name: str) -> Iterator[list[str]]:
        opened = gzip.open if name.endswith(".gz") else open
        with opened(self.folder / name, "rt", encoding="utf-8") as file:
            lines = (line for line in file if line.strip() and not line.startswith("#"))
            yield from csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def mdn(data: Data) -> Iterator[Set]:
    graph = data.built("mdn/links.tsv.gz", names_file="mdn/pages.tsv.gz", where="section=body")
    urls = {row[0]: row[1] for row in data.rows("mdn/pages.tsv.gz")}
    gold: Gold = defaultdict(set)
    for source, _, target, section in data.rows("mdn/links.tsv.gz"):
        if section == "see_also" and source != target:
            pages = [graph.store.look_up(urls[number]) for number in (source, target)]
            if None not in pages:
                gold[graph.url(pages[0])].add(graph.url(pages[1]))
    listed = {query: pages for query, pages in gold.items() if len(pages) >= 3}
    yield Set("MDN, See also", graph, listed)
    yield Set("MDN, See also, unlinked", graph, without_linked(graph, listed), unlinked=True)


def wikispeedia(data: Data) -> Iterator[Set]:
    graph = data.built(
        "wikispeedia/articles.tsv",
        "wikispeedia/links.tsv.gz",
        order_file="wikispeedia/page_pos_dict.json.gz",
    )
    pairs = [(row[0], row[1]) for row in data.rows("wikispeedia/categories.tsv.gz")]
    yield Set("Wikispeedia, categories", graph, alike(graph, pairs), "precision")


def topics(name: str, title: str, data: Data) -> Iterator[Set]:
    graph = data.built(f"cora_citeseer/{name}_edges.tsv", ordered=False)
    pairs = [(row[0], row[2]) for row in data.rows(f"cora_citeseer/{name}_labels.tsv")]
    yield Set(f"{title}, topics", graph, alike(graph, pairs), "precision")


def polblogs(data: Data) -> Iterator[Set]:
    graph = data.built("polblogs/polblogs.gml.gz", ordered=False)
    with gzip.open(data.folder / "polblogs/polblogs.gml.gz", "rt") as file:
        pairs = re.findall(r'label "([^"]*)"\s+value (\d)', file.read())
    yield Set("polblogs, camps", graph, alike(graph, pairs), "precision")


def held_out(title: str, source: str, data: Data, **options: str | bool) -> Iterator[Set]:
    return without_some(title, data.built(source, urls="keep", **options))


def without_some(title: str, whole: wr.Graph) -> Iterator[Set]:
    graph, gold = split(whole)
    yield Set(f"{title}, held out", graph, gold)
    yield Set(f"{title}, held out, unlinked", graph, gold, unlinked=True)


def own_links(title: str, sets: Callable[[Data], Iterator[Set]], data: Data) -> Iterator[Set]:
    """Links held out of a graph that other gold is known for, too."""
    return without_some(title, next(sets(data)).graph)


def manual(name: str, data: Data) -> Iterator[Set]:
    """The pages that a manual lists under "See also", from the links elsewhere on its pages."""
    pages, gold = manuals.read(data.manuals, name)
    graph = wr.Graph.from_pages(pages, urls="keep")
    yield Set(f"{name}, See also", graph, gold)
    yield Set(f"{name}, See also, unlinked", graph, without_linked(graph, gold), unlinked=True)
    yield from without_some(name, graph)


SETS: dict[str, Callable[[Data], Iterator[Set]]] = {
    "mdn": mdn,
    "wikispeedia": wikispeedia,
    "cora": partial(topics, "cora", "Cora"),
    "citeseer": partial(topics, "citeseer", "CiteSeer"),
    "polblogs": polblogs,
    **{
        topic: partial(held_out, f"Toronto {topic.replace('_', ' ')}", source, **names)
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
    "california": partial(held_out, "California", "california/gr0.California"),
    "epa": partial(held_out, "EPA", "epa/gr0.Epa"),
    "hollins": partial(
        held_out,
        "Hollins",
        "hollins/hollins_edges.txt",
        names_file="hollins/hollins_urls.txt",
        ordered=False,
    ),
    "cs_stanford": partial(
        held_out,
        "CS Stanford",
        "cs_stanford/edges.tsv",
        names_file="cs_stanford/labels.txt",
        ordered=False,
    ),
    "mdn_links": partial(own_links, "MDN", mdn),
    "wikispeedia_links": partial(own_links, "Wikispeedia", wikispeedia),
    "cora_links": partial(own_links, "Cora", partial(topics, "cora", "Cora")),
    "citeseer_links": partial(own_links, "CiteSeer", partial(topics, "citeseer", "CiteSeer")),
    "polblogs_links": partial(own_links, "polblogs", polblogs),
    "harvard": partial(
        held_out,
        "Harvard",
        "harvard500/edges.tsv",
        names_file="harvard500/urls.tsv",
        ordered=False,
    ),
    "obsidian": partial(
        held_out,
        "Obsidian's help",
        "obsidian_help/links.tsv.gz",
        names_file="obsidian_help/pages.tsv.gz",
    ),
    **{name: partial(manual, name) for name in manuals.MANUALS},
}


def linked_from(graph: wr.Graph, query: str) -> set[str]:
    return {graph.url(page) for page in graph.links_from(graph.page(query)).tolist()}


def without_linked(graph: wr.Graph, gold: Gold) -> Gold:
    """The gold that its query does not link to; queries that have any."""
    left = {query: pages - linked_from(graph, query) for query, pages in gold.items()}
    return {query: pages for query, pages in left.items() if pages}


def alike(graph: wr.Graph, pairs: list[tuple[str, str]]) -> Gold:
    """For every page that has a link, the other pages with one of its labels."""
    labels, pages = defaultdict(set), defaultdict(set)
    for name, label in pairs:
        page = graph.store.look_up(name)
        if page is not None and len(graph.links_from(page)) + len(graph.links_to(page)):
            labels[graph.url(page)].add(label)
            pages[label].add(graph.url(page))
    gold = {url: set().union(*(pages[label] for label in labels[url])) - {url} for url in labels}
    return {url: others for url, others in gold.items() if others}


def split(whole: wr.Graph, share: float = 0.2, least: int = 3, seed: int = 0) -> tuple:
    """The graph without a share of its links, and these by the pages that they are from.

    Both directions of a pair go together: a link back would give the other away.
    """
    left, gold = [], {}
    for page in range(len(whole)):
        name = whole.url(page)
        links = [whole.url(link) for link in whole.links_from(page).tolist()]
        held = {link for link in links if drawn_by(name, link, seed) < share}
        left.append(Page(name, [link for link in links if link not in held]))
        if held and len(links) >= least and len(links) - len(held) >= 2:
            gold[name] = held
    graph = wr.Graph.from_pages(left, ordered=whole.store.ordered, urls="keep")
    return graph, {query: found for query, pages in gold.items() if (found := known(graph, pages))}


def drawn_by(one: str, other: str, seed: int) -> float:
    """A number from 0 to 1 that depends on two names, in either order, and the seed."""
    return crc32("\n".join([str(seed), *sorted((one, other))]).encode()) / 2**32


def known(graph: wr.Graph, pages: set[str]) -> set[str]:
    """The pages that have any link left, so that they can be found at all."""
    numbers = {url: graph.page(url) for url in pages}
    return {u for u, p in numbers.items() if len(graph.links_to(p)) + len(graph.links_from(p))}


@cache
def workers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor()


def asked(one: Set, method: Method) -> tuple[float, float]:
    """The mean over the queries, and the median of the milliseconds."""
    scores = list(workers().map(partial(one.score, method), one.gold))
    return mean(score for score, _ in scores), median(took for _, took in scores)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument(
        "--sets", default=",".join(name for name in SETS if name not in manuals.MANUALS)
    )
    parser.add_argument("--manuals", type=Path, default=Data.manuals)
    parser.add_argument("--methods", default=",".join(name for name in METHODS if name not in SLOW))
    parser.add_argument("--queries", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--half", choices=(*HALVES, "all"), default="report")
    parser.add_argument("--graphs", type=Path, help="a folder to build graphs in")
    options = parser.parse_args()
    methods = {each.label: each.method for each in contenders(options.methods)}
    print("| set | queries | " + " | ".join(methods) + " |")
    print("|---" * (len(methods) + 2) + "|")
    with tempfile.TemporaryDirectory() as scratch:
        data = Data(options.data, options.graphs or Path(scratch), options.manuals)
        for name in options.sets.split(","):
            for whole in SETS[name](data):
                one = whole.drawn(options.queries, options.seed, options.half)
                means = [asked(one, method)[0] for method in methods.values()]
                row = [f"{each:.3f}" for each in means]
                print(f"| {one.name} | {len(one.gold)} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
