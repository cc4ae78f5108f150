"""`python -m tests.fuzz --seconds N --only readers|store|http`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.fuzz.run import STORE, http_faults, reader_faults, store_faults, until
from tests.hostile.graphs import build_small
from tests.hostile.processes import Forks, served

TARGETS = ("readers", "store", "http")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", choices=TARGETS)
    parser.add_argument("--first", type=int, default=0, help="the number of the first round")
    told = parser.parse_args()
    chosen = [told.only] if told.only else list(TARGETS)
    kinds: dict[str, int] = {}
    rounds = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        graph = build_small(folder / "web.graph", pages=60)
        forks = Forks()
        with served(graph, folder / "log", "--deadline", "5") as server:
            for target in chosen:
                for numbers in until(told.seconds / len(chosen), told.first):
                    rounds += 1
                    found = {
                        "readers": lambda some: reader_faults(forks, folder / "case", some),
                        "store": lambda some: store_faults(forks, STORE, folder / "copy", some),
                        "http": lambda some: http_faults(server, some),
                    }[target](numbers)
                    for fault in found:
                        if kinds.setdefault(f"{target}: {fault.what}", 0) == 0:
                            print(f"{target}: {fault}", flush=True)
                        kinds[f"{target}: {fault.what}"] += 1
        forks.close()
    print(f"{rounds:,} rounds, {sum(kinds.values()):,} faults, {len(kinds)} kinds")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
