"""Random reasons of all methods on real graphs, for a reader who would rewrite bad ones.

    python -m tests.reasons --seed 7 [--count 200] [--graphs build/reasons]

The graphs are the sample Web and, as far as they are there, Debian's python3-doc, MDN, the
Obsidian help and Wikispeedia (../shared or $RELATED_SHARED).  They are built once, into the
folder `--graphs`.  Each line names the graph and the method; one in eight asks about two pages.
"""

from __future__ import annotations

import argparse
import random
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import whatsrelated as wr
from tests.conftest import SHARED
from tests.system import TOP
from whatsrelated import sample
from whatsrelated.contract.candidates import Result
from whatsrelated.methods import METHODS
from whatsrelated.query.evidence import reasons

MANUAL = Path("/usr/share/doc/python3-doc/html")
SHOWN = 10
"""Results among which a reason is drawn."""


def sources() -> dict[str, tuple[list[Path], dict[str, Any]]]:
    """What each graph is built from, and the options."""
    data = SHARED / "data"
    wikispeedia = data / "wikispeedia"
    return {
        "python3-doc": ([MANUAL], {}),
        "MDN": ([data / "mdn" / "mdn_content_en-us_markdown.tar.zst"], {}),
        "Obsidian help": ([data / "obsidian_help" / "obsidian_help_en_markdown.tar.zst"], {}),
        "Wikispeedia": (
            [wikispeedia / "articles.tsv", wikispeedia / "links.tsv.gz"],
            {"order_file": str(wikispeedia / "page_pos_dict.json.gz")},
        ),
    }


def graphs(folder: Path) -> dict[str, wr.Graph]:
    """The sample Web, and the graphs whose sources are there."""
    found = {"sample": wr.Graph.from_pages(sample.pages())}
    for name, (paths, options) in sources().items():
        if not all(path.exists() for path in paths):
            print(f"{name} is left out: {paths[0]} is missing.")
            continue
        place = folder / f"{name.replace(' ', '-').lower()}.graph"
        if not place.exists():
            with tempfile.TemporaryDirectory() as unpacked:
                if name == "Obsidian help":  # a vault is recognised by its folder
                    paths = [_unpack(paths[0], Path(unpacked))]
                wr.build(list(map(str, paths)), str(place), **options)
        found[name] = wr.open(str(place))
    return found


def _unpack(archive: Path, folder: Path) -> Path:
    import zstandard

    with zstandard.open(archive, "rb") as file, tarfile.open(fileobj=file, mode="r|") as packed:
        packed.extractall(folder, filter="data")
    (inside,) = folder.iterdir()
    return inside


def draw(graph: wr.Graph, method: str, rng: random.Random) -> tuple[list[str], Result] | None:
    """A random result for a random page, or for it and one related to it."""
    page = rng.randrange(len(graph))
    asked = [graph.url(page)]
    if rng.random() < 1 / 8:
        asked += [one.url for one in graph.related(asked[0], limit=1)]
    answer = graph.related(asked, by=method, limit=SHOWN, chop=False)
    return (asked, rng.choice(answer.results)) if len(answer) else None


def drawn(count: int, seed: int, folder: Path) -> Iterator[str]:
    """Random reasons, each with its graph and method."""
    rng, open_graphs = random.Random(seed), graphs(folder)
    while count:
        name, method = rng.choice(sorted(open_graphs)), rng.choice(sorted(METHODS))
        found = draw(open_graphs[name], method, rng)
        if found is None:
            continue
        evidence = found[1].evidence
        listed = [evidence["sentence"], *reasons(evidence)[1:]]
        yield f"[{name}, {method}] {rng.choice(listed)}"
        count -= 1


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--graphs", type=Path, default=TOP / "build" / "reasons")
    given = parser.parse_args()
    given.graphs.mkdir(parents=True, exist_ok=True)
    for number, reason in enumerate(drawn(given.count, given.seed, given.graphs), 1):
        print(f"{number}. {reason}", flush=True)


if __name__ == "__main__":
    main()
