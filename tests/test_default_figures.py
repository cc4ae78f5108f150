"""The numbers of the default, and the figures that were fitted or measured with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, astuple, fields, replace
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import pytest

from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.methods import blend
from whatsrelated.methods.blend import FORMULA, BlendFormula
from whatsrelated.stream import Page

TOP = Path(__file__).parent.parent
CODE = TOP / "src/whatsrelated/methods/blend.py"
PAGE = TOP / "docs/explanation/methods/blend.md"
MARK = re.compile(r"default ([0-9a-f]{8}): (python -m .+?)(?: -->)?$", re.MULTILINE)
"""The note beside figures: the digest of the default they were measured with, and the command."""
MARKED = {
    "docs/explanation/default.md",
    "docs/explanation/evaluation.md",
    "docs/explanation/methods/blend.md",
    "docs/reports/default.md",
    "docs/reports/evaluation.md",
    "docs/reports/text.md",
    "src/whatsrelated/methods/blend.py",
}
NOT_IN_SMALL_GRAPHS = {"error", "children", "reads", "known_limit", "names_compared"}
"""Bounds that only large graphs reach."""


class Figures(NamedTuple):
    """Where some figures are, and how they were measured."""

    path: str
    line: int
    digest: str
    command: str


def figures() -> Iterator[Figures]:
    for path in (CODE, *sorted((TOP / "docs").rglob("*.md"))):
        text = path.read_text(encoding="utf-8")
        for mark in MARK.finditer(text):
            line = text.count("\n", 0, mark.start()) + 1
            yield Figures(path.relative_to(TOP).as_posix(), line, *mark.groups())


def small_scores() -> Iterator[float]:
    """The scores of small graphs that exercise every rule of the formula."""
    one_site = graph_of("a -> tea tea/green milk", "b -> milk tea", "tea -> c", "milk -> c d")
    site = "https://a.org/"
    pages = [Page(f"{site}{name}", [f"{site}tea", f"{site}x", "https://b.org/"]) for name in "pqr"]
    unread = Graph.from_pages([*pages, Page(f"{site}tea"), Page(f"{site}x")])
    lists = [f"https://list{i}.org/ -> https://a.com/ https://b.com/ https://c.com/" for i in "pq"]
    own = "https://a.com/ -> https://a.com/us https://b.com/ https://d.com/"
    many_sites = graph_of(*lists, own, "https://c.com/ -> https://d.com/")
    for graph, query in (
        (one_site, "tea"),
        (unread, f"{site}tea"),
        (many_sites, "https://a.com/"),
    ):
        for result in graph.related(query, by="blend", chop=False, limit=100):
            yield result.evidence["raw_score"]


def digest(formula: BlendFormula) -> str:
    """Eight digits for the numbers and for what the formula makes of them."""
    scores = [f"{score:.6g}" for score in small_scores()]
    return f"{crc32(repr((astuple(formula), scores)).encode()):08x}"


def test_figures_were_measured_with_the_default_as_it_is() -> None:
    now = digest(FORMULA)
    stale = [f"  {one.path}:{one.line}: {one.command}" for one in figures() if one.digest != now]
    assert not stale, "\n".join(
        [
            "The default has changed since these figures were measured.  Run the commands, "
            f"update the figures and write default {now} beside them; CONTRIBUTING.md, "
            '"Changing a number of the default", has the steps.',
            *stale,
        ]
    )


def test_all_figures_of_the_default_name_what_they_were_measured_with() -> None:
    assert {one.path for one in figures()} == MARKED
    for one in figures():
        module = one.command.split()[2].replace(".", "/")
        assert (TOP / f"{module}.py").is_file(), one


@pytest.mark.parametrize("field", [field.name for field in fields(FORMULA)])
def test_every_number_changes_the_digest(field: str) -> None:
    assert digest(replace(FORMULA, **{field: 7})) != digest(FORMULA)


@pytest.mark.parametrize(
    "field",
    [field.name for field in fields(FORMULA) if field.name not in NOT_IN_SMALL_GRAPHS],
)
def test_the_scores_in_the_digest_depend_on(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(small_scores())
    monkeypatch.setattr(blend, "FORMULA", replace(FORMULA, **{field: 0.9}))
    assert list(small_scores()) != pytest.approx(before)


def test_the_docs_have_the_numbers_of_the_default() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", page, re.MULTILINE))
    assert {name: float(value) for name, value in rows.items()} == asdict(FORMULA)


def test_the_docs_and_the_docstring_have_the_formula_of_the_default() -> None:
    n = FORMULA
    page = PAGE.read_text(encoding="utf-8").replace(" \\\\\n& ", " ")
    assert (
        rf"\left(\frac{{W}}{{\max W + {n.faint}\,(1/A - 1)}} + {n.walk_doubt}\right) "
        rf"\left(\frac{{D}}{{\max D}} + {n.proximity_doubt}\right) "
        rf"\left(\frac{{K}}{{\max K}} + {n.coupling_doubt:g}\right) "
        rf"\left(1 + \frac{{N}}{{{n.names_doubling}}}\right) "
        rf"\min(\text{{in-degree}}, {n.known_limit})^{{{n.known_power}}} \, P"
    ) in page
    docstring = " ".join((blend.__doc__ or "").split())
    assert (
        f"(W / (max W + {n.faint} * (1 / A - 1)) + {n.walk_doubt}) "
        f"* (D / max D + {n.proximity_doubt}) * (K / max K + {n.coupling_doubt:g}) "
        f"* min(in-degree, {n.known_limit}) ** {n.known_power} * (1 + N / {n.names_doubling}) * P"
    ) in docstring


def test_the_docs_have_the_numbers_of_the_strength() -> None:
    steepness, even = blend.STEEPNESS, blend.EVEN
    page = (TOP / "docs/explanation/default.md").read_text(encoding="utf-8")
    assert (
        f"With text g is {steepness['text']:g} and m is {even['text']:g}; "
        f"with names g is {steepness['names']:g} and m is {even['names']}; "
        f"from links alone they are {steepness['links']} and {even['links']}."
    ) in page
