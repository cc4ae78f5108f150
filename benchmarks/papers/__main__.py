"""Run the parts, write the report, and compare it with the docs."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import ablations, ground_truth, hubfinder, several, xh14
from benchmarks.papers import con04, dh99, hz03, llk06, on_cocitation

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "docs" / "reports"
REPORT = REPORTS / "reproduction.md"
UNSTEADY = {"ms", "MB"}
"""Columns that differ from run to run."""
SLOW = "pagesim,simrank,hubfinder"


@dataclass(frozen=True)
class Paper:
    """A paper's tables, which are a section of the report."""

    title: str
    run: Callable[[Path | None], None]

    def printed(self, data: Path | None) -> str:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.run(data)
        return out.getvalue().strip()


@dataclass(frozen=True)
class Script:
    """A longer script with its arguments, and the page that has what it prints."""

    main: Callable[[], None]
    arguments: str
    page: str

    def missing(self, data: Path) -> list[str]:
        """The rows that the script prints and the page lacks."""
        arguments = self.arguments.format(data=data, build=ROOT / "build" / "benchmarks")
        before, sys.argv = sys.argv, [self.main.__module__, *shlex.split(arguments)]
        try:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.main()
        finally:
            sys.argv = before
        there = set(rows_of((REPORTS / self.page).read_text(encoding="utf-8")))
        return [" | ".join(row) for row in rows_of(out.getvalue()) if row not in there]


PAPERS = {
    "dh99": Paper("DH99", dh99.main),
    "hz03": Paper("HZ03", hz03.main),
    "con04": Paper("CON04", con04.main),
    "llk06": Paper("LLK06", llk06.main),
    "xh14": Paper("XH14", on_cocitation.main),
}
SCRIPTS = {
    "mbcc": Script(xh14.main, "{data}/toronto", "mbcc.md"),
    "hubfinder": Script(
        hubfinder.main, "{data} {build} --queries 40 --pages 100000 --links 2000000", "hubfinder.md"
    ),
    "ablations": Script(ablations.main, "{data} --queries 200", "ablations.md"),
    "several": Script(several.main, "{data}", "several.md"),
    "ground-truth": Script(
        ground_truth.main, f"{{data}} --methods {SLOW} --queries 100", "ground-truth.md"
    ),
}


PARTS = [*PAPERS, "mbcc", "hubfinder", "ablations"]
"""The parts that run by default; the others measure our own methods, and take hours."""


def rows_of(text: str) -> Iterator[tuple[str, ...]]:
    """The rows of Markdown tables, without headers, bold type and columns that vary by run."""
    head: list[str] | None = None
    for line in text.splitlines():
        if not line.startswith("|"):
            head = None
            continue
        cells = [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]
        if head is None:
            head = cells
        elif set("".join(cells)) - set("-: "):
            yield tuple(
                cell for name, cell in zip(head, cells, strict=True) if name not in UNSTEADY
            )


def section(text: str, name: str) -> tuple[str, str, str]:
    """What is before, between and after the marks of a paper."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = text.partition(begin)
    inside, _, after = rest.partition(end)
    return f"{before}{begin}\n", inside.strip(), f"\n{end}{after}"


def differences(printed: str, page: str, *, whole: bool) -> list[str]:
    """What was printed and is not on the page and, if it was the `whole`, the other way round."""
    ours, theirs = list(rows_of(printed)), list(rows_of(page))
    lacking = [row for row in ours if row not in theirs]
    stale = [row for row in theirs if row not in ours] if whole else []
    return [f"not on the page: {' | '.join(row)}" for row in lacking] + [
        f"only on the page: {' | '.join(row)}" for row in stale
    ]


def data_folder(given: Path | None) -> Path | None:
    """The data, if they are there."""
    shared = Path(os.environ.get("RELATED_SHARED", ROOT.parent / "shared"))
    folder = given or shared / "data"
    return folder if folder.is_dir() else None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=__doc__)
    parser.add_argument("data", type=Path, nargs="?", help="the folder of public link graphs")
    parser.add_argument("--parts", default=",".join(PARTS), help="the parts to run, or all")
    parser.add_argument("--update", action="store_true", help="write the figures into the docs")
    told = parser.parse_args()
    data, faults, page = data_folder(told.data), [], REPORT.read_text(encoding="utf-8")
    report = []
    for name in [*PAPERS, *SCRIPTS] if told.parts == "all" else told.parts.split(","):
        begun = time.process_time()
        if name in PAPERS:
            printed = PAPERS[name].printed(data)
            report.append(f"## {PAPERS[name].title}\n\n{printed}\n")
            before, inside, after = section(page, name)
            wrong = differences(printed, inside, whole=data is not None)
            if told.update and data is not None:
                page = f"{before}{printed}{after}"
        elif data is None:
            print(f"{name}: skipped, there is no data; give the folder as DATA.", flush=True)
            continue
        else:
            wrong = SCRIPTS[name].missing(data)
            wrong = [f"{SCRIPTS[name].page} lacks: {row}" for row in wrong]
        seconds = time.process_time() - begun
        print(f"{name}: {len(wrong)} differences, {seconds:.0f} s of CPU time", flush=True)
        faults += [f"{name}: {line}" for line in wrong]
    made = ROOT / "build" / "papers.md"
    made.parent.mkdir(exist_ok=True)
    made.write_text("\n".join(report), encoding="utf-8")
    print(f"The report is {made}.")
    if told.update:
        REPORT.write_text(page, encoding="utf-8")
        faults = [line for line in faults if line.partition(":")[0] not in PAPERS]
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
