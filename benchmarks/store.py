"""What does the graph on disk cost: grouping links, size, opening, look-up, cocitation?

    python -m benchmarks.store FOLDER [--pages 2000000 --links 40000000] [--large 10000000]

FOLDER holds the generated graphs.  Every ratio is measured in one run with interleaved
rivals; times are medians of CPU time on one core.  polars is a rival if it is installed.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import generate
from benchmarks.measure import interleaved, sizes_asked_for, table
from whatsrelated import api, kernels
from whatsrelated.names.keys import sort_key
from whatsrelated.stream import Names


def grouping(pages: int, links: int, repeats: int) -> None:
    """Turn shuffled links between numbers into both directions, keeping the order of each list."""
    rng = np.random.default_rng(1)
    sources = (pages * rng.random(links) ** 2).astype(np.uint32)
    targets = (pages * rng.random(links) ** 3).astype(np.uint32)

    def ours() -> None:
        offsets, out = kernels.link_sorting.group(sources, targets, 0, pages, True)
        degrees = np.zeros(pages, np.uint32)
        kernels.link_sorting.count_into(degrees, out)
        kernels.link_sorting.reverse(
            offsets, out, kernels.link_sorting.descending(degrees), degrees
        )

    def numpy_sort() -> None:
        """The same arrays: distinct links, page order, in-lists by the parents' in-degree."""
        pairs = sources.astype(np.uint64) << np.uint64(32) | targets
        first = np.unique(pairs, return_index=True)[1]
        first = np.sort(first[sources[first] != targets[first]])
        left, right = sources[first], targets[first]
        degrees = np.bincount(right, minlength=pages)
        for keys, order in (
            (left, np.argsort(left, kind="stable")),
            (right, np.lexsort((left, -degrees[left], right))),
        ):
            np.searchsorted(keys[order], np.arange(pages + 1))

    def bare_loop() -> None:
        for values in (sources, targets):
            kernels.link_sorting.translate(np.zeros(pages, np.uint32), values)

    rivals: dict[str, Any] = {"whatsrelated": ours, "NumPy": numpy_sort, "gather loop": bare_loop}
    try:
        import polars

        frame = polars.DataFrame({"s": sources, "t": targets})

        def with_polars() -> None:
            links = frame.with_row_index("place").filter(polars.col("s") != polars.col("t"))
            links = links.unique(["s", "t"], keep="first")
            links.sort("s", "place")
            degrees = links.group_by("t").agg(polars.len().alias("degree"))
            degrees = degrees.rename({"t": "s"})
            joined = links.join(degrees, on="s", how="left").fill_null(0)
            joined.sort("t", "degree", "s", descending=[False, True, False])

        rivals["polars"] = with_polars
    except ImportError:
        print("polars is not installed; its row is left out")
    taken = interleaved(rivals, repeats)
    rows = [
        [name, seconds, links / seconds / 1e6, seconds / taken["whatsrelated"]]
        for name, seconds in taken.items()
    ]
    table(
        f"{links:,} shuffled links to both directions", ["", "s", "M links/s", "times ours"], rows
    )


def sizes(graph: api.Graph) -> None:
    """Bytes on disk for links and for names."""
    store = graph.store
    links = sum(
        store.arrays[f"{way}.{part}"].nbytes
        for way in ("in", "out")
        for part in ("offsets", "links")
    )
    names = store.arrays["names.text"].nbytes + store.arrays["names.blocks"].nbytes
    chosen = np.random.default_rng(2).integers(0, len(graph), 10_000)
    raw = statistics.mean(len(graph.url(int(page))) for page in chosen)
    table(
        f"Bytes on disk: {len(graph):,} pages, {graph.n_links:,} links",
        ["links a page", "bytes per link", "bytes per URL", "of the raw URL"],
        [
            [
                graph.n_links / len(graph),
                links / graph.n_links,
                names / len(graph),
                names / len(graph) / raw,
            ]
        ],
    )


def documentation_names() -> None:
    """Names of URLs like those of documentation: few hosts, deep paths."""
    urls = [
        f"https://docs.example.org/en/{version}/{part}/{module}/{page}.html"
        for version in ("3.11", "3.12", "stable")
        for part in ("library", "reference", "howto", "tutorial")
        for module in ("asyncio", "collections", "concurrent", "email", "http", "importlib", "xml")
        for page in (f"chapter-{number}-of-the-manual" for number in range(120))
    ]
    packed = Names.of(sorted(map(sort_key, urls)))
    text, blocks = kernels.name_table.encode(packed.blob, packed.offsets)
    share = (text.nbytes + blocks.nbytes) / sum(map(len, urls))
    table("Names of documentation", ["URLs", "share of the raw bytes"], [[f"{len(urls):,}", share]])


def opening(path: Path) -> None:
    """Opening a large graph, looking up pages in it, and running whole commands."""
    script = (
        "import time; import numpy; from whatsrelated import api, kernels; kernels.name_table\n"
        "def private():\n"
        "    words = open('/proc/self/smaps_rollup').read().split()\n"
        "    return sum(int(words[i + 1]) for i, w in enumerate(words) if w == 'Private_Dirty:')\n"
        "before = private(); t = time.perf_counter()\n"
        f"graph = api.open({str(path)!r}); len(graph)\n"
        "print((time.perf_counter() - t) * 1e3, (private() - before) / 1024)"
    )
    given = [
        list(map(float, subprocess.check_output([sys.executable, "-c", script], text=True).split()))
        for _ in range(5)
    ]
    rows: list[list[Any]] = [
        ["open, ms", statistics.median(row[0] for row in given)],
        ["private memory, MiB", statistics.median(row[1] for row in given)],
    ]
    graph = api.open(path)
    names = graph.store.names.table
    pages = np.random.default_rng(3).integers(0, len(graph), 200_000).astype(np.uint32)
    text, ends = names.get_many(pages)
    finding, giving = [], []
    for _ in range(5):
        begun = time.process_time()
        names.find_many(text, ends)
        finding.append(time.process_time() - begun)
        begun = time.process_time()
        names.get_many(pages)
        giving.append(time.process_time() - begun)
    rows.append(["URL to page, us", statistics.median(finding) / len(pages) * 1e6])
    rows.append(["page to URL, us", statistics.median(giving) / len(pages) * 1e6])
    degrees = graph.store.in_degree(pages)
    url = graph.url(int(pages[np.argmin(abs(degrees - 100))]))
    related = str(Path(sys.executable).with_name("related"))
    for words in (["--help"], ["to", "--help"], ["links", url], ["to", url, "--by", "cocitation"]):
        taken = []
        for _ in range(7):
            begun = time.perf_counter()
            command = [related, *words] + ([] if "--help" in words else ["--graph", str(path)])
            subprocess.run(command, check=True, capture_output=True)
            taken.append(time.perf_counter() - begun)
        rows.append([f"related {' '.join(words).replace(url, 'URL')}, s", statistics.median(taken)])
    table(f"A graph of {len(graph):,} pages and {graph.n_links:,} links", ["", "median"], rows)


def cocitation(graph: api.Graph, queries: int) -> None:
    """Cocitation by in-degree, compared with SciPy's sparse product and a loop that only reads."""
    from scipy import sparse

    store = graph.store
    shape = (len(graph), len(graph))
    ones = np.ones(graph.n_links, np.float32)
    forward = sparse.csr_matrix(
        (ones, store.out_links.astype(np.int32), store.out_offsets.astype(np.int64)), shape
    )
    backward = sparse.csr_matrix(
        (ones, store.in_links.astype(np.int32), store.in_offsets.astype(np.int64)), shape
    )
    degrees = (store.in_offsets[1:] - store.in_offsets[:-1]).astype(np.int64)
    rows = []
    for wanted in (100, 1000, 2000):
        near = np.flatnonzero((degrees >= 0.95 * wanted) & (degrees <= wanted))
        pages = np.random.default_rng(wanted).permutation(near)[:queries].tolist()
        taken: dict[str, list[float]] = {"ours": [], "scipy": [], "read": []}
        for page in pages:
            url = graph.url(page)
            parents = store.links_to(page)
            graph.related(url, by="cocitation", chop=False)
            for name, run in (
                ("ours", lambda url=url: graph.related(url, by="cocitation", chop=False)),
                ("scipy", lambda page=page: backward[page] @ forward),
                (
                    "read",
                    lambda parents=parents: [store.links_from(p).max() for p in parents.tolist()],
                ),
            ):
                begun = time.process_time()
                run()
                taken[name].append(time.process_time() - begun)
        medians = {name: statistics.median(times) * 1e3 for name, times in taken.items()}
        read = statistics.median(
            int(store.out_degree(store.links_to(page)).sum()) for page in pages
        )
        rows.append(
            [
                wanted,
                len(pages),
                read,
                medians["ours"],
                medians["scipy"],
                medians["scipy"] / medians["ours"],
            ]
        )
    table(
        f"Cocitation on {graph.n_links:,} links, the whole answer, warm",
        ["in-degree", "queries", "links of the parents", "ms", "SciPy AT[u] @ A, ms", "times ours"],
        rows,
    )


def main() -> None:
    counts = {"pages": 2_000_000, "links": 40_000_000, "large": 10_000_000, "repeats": 3}
    given = sizes_asked_for(__doc__, **counts).parse_args()
    grouping(given.pages, given.links, given.repeats)
    graph = generate.opened(given.folder, given.pages, given.links)
    sizes(graph)
    documentation_names()
    cocitation(graph, 60)
    large = generate.opened(given.folder, given.large, 4 * given.large)
    cocitation(large, 60)
    assert large.store.path is not None
    opening(large.store.path)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\npeak memory of this run: {peak:,.0f} MiB")


if __name__ == "__main__":
    main()
