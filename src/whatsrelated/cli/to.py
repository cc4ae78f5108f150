"""`related to`: the pages related to a page, as a table, with reasons, as JSON or CSV."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from whatsrelated.cli.output import print_csv, print_json, print_table, say, shown
from whatsrelated.cli.parameters import given, graph_option, open_graph, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.methods import METHODS
from whatsrelated.query.answer import Answer
from whatsrelated.query.request import DEFAULT_METHOD, Request

SHOWN = 3
"""How many hubs, parents, sources and so on are told of each result."""


@click.command(name="to")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@graph_option
@click.option(
    "--by", default=DEFAULT_METHOD, show_default=True, help=f"One of {', '.join(METHODS)}."
)
@click.option("--why", is_flag=True, help="Give the reasons for every result.")
@click.option("--json", "as_json", is_flag=True, help="The whole answer as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Place, score, URL and title as CSV.")
@options_of([Request, *METHODS.values()])
def command(
    pages: tuple[str, ...],
    graph: str | None,
    by: str,
    why: bool,
    as_json: bool,
    as_csv: bool,
    **options: Any,
) -> int:
    """The pages related to PAGE, or to all of several."""
    opened = open_graph(graph)
    with ProgressLine() as progress:
        answer = opened.related(list(pages), by=by, progress=progress, **given(options))
    if as_json:
        print_json(answer.reply(why))
    elif as_csv:
        rows = ((i, r.score, r.url, r.title or "") for i, r in enumerate(answer, 1))
        print_csv(["place", "score", "url", "title"], rows)
    else:
        print_answer(answer, why)
    return 0 if len(answer) else 1


def print_answer(answer: Answer, why: bool) -> None:
    """The answer for people: remarks aside, results as a table or with their reasons."""
    for note in answer.notes:
        say(note)
    if not len(answer):
        say("No related page was found.")
        return
    if why:
        for place, result in enumerate(answer, 1):
            print_result(place, result)
        say(told(answer.details))
        for mirrors in answer.details.get("near_duplicates", ()):
            say(f"near-duplicates, taken as one page: {', '.join(map(shown, mirrors))}")
    else:
        rows = [[i, r.score, r.url, r.title] for i, r in enumerate(answer, 1)]
        print_table(["", "score", "page", "title"], rows)
    if sys.stderr.isatty():
        vicinity = answer.vicinity
        say(
            f"{answer.by.name}: {vicinity['pages']:,} pages and {vicinity['links']:,} links read "
            f"in {answer.took_ms:.1f} ms"
        )


def print_result(place: int, result: Any) -> None:
    """One result with its reasons."""
    title = f"  {shown(result.title)}" if result.title else ""
    click.echo(click.style(f"{place}. {shown(result.url)}{title}", bold=True))
    evidence = result.evidence
    click.echo(f"   score {shown(result.score)}. {shown(evidence.get('sentence'))}")
    for line in [*_links_told(evidence), *_numbers_told(evidence), *_similarity_told(evidence)]:
        click.echo(f"     {line}")


def _links_told(evidence: dict[str, Any]) -> Iterator[str]:
    """The methods of a blend, hubs, common parents and mirrors, the first of each."""
    for part in evidence.get("parts", ()):
        yield f"{part['by']}, {part['share']:.0%}: {shown(part['sentence'])}"
    for hub in evidence.get("hubs", ())[:SHOWN]:
        yield f"hub {shown(hub['url'])}: {hub['share']:.0%} of its authority"
    for parent in evidence.get("parents", ())[:SHOWN]:
        apart = abs(parent["distance"])
        yield f"{shown(parent['url'])}: {parent['links']:,} links, these two {apart} apart"
    for mirror in evidence.get("near_duplicates", ())[:SHOWN]:
        yield f"near-duplicate {shown(mirror)}"


def _numbers_told(evidence: dict[str, Any]) -> Iterator[str]:
    """HZ03's numbers: of all parents (children) and of this page's, the first."""
    for by, half in (("parents", "back"), ("children", "forward")):
        if numbers := evidence.get(half):
            shares = " ".join(shown(share) for share in numbers["bd"][:SHOWN])
            more = " …" if len(numbers["bd"]) > SHOWN else ""
            bcp, dd = shown(numbers["bcp"]), shown(numbers["dd"])
            yield f"by {by}: bcp {bcp}, bd {shares}{more}, dd {dd}"


def _similarity_told(evidence: dict[str, Any]) -> Iterator[str]:
    """PageSim's sources, with the best path from each to either page, and SimRank's pairs."""
    for source in evidence.get("sources", ())[:SHOWN]:
        yield f"source {shown(source['url'])}: {source['share']:.0%} of the score"
        for path in (*source["paths"][:1], *source["paths_other"][:1]):
            if len(path["urls"]) > 1:
                yield f"  {' → '.join(map(shown, path['urls']))}"
    for pair in evidence.get("pairs", ())[:SHOWN]:
        one, other = map(shown, pair["parents"])
        alike = f"parents {one} and {other}, {pair['similarity']:.0%} alike"
        told = f"common parent {one}" if one == other else alike
        yield f"{told}: {pair['share']:.0%} of the score"


def told(details: dict[str, Any]) -> str:
    """How an answer came about, in one line: the numbers of its details."""
    parts = []
    for name, value in details.items():
        if isinstance(value, dict):
            parts += [f"{name} {key} {shown(number)}" for key, number in value.items()]
        elif not isinstance(value, list):
            parts.append(f"{name} {shown(value)}")
    return ", ".join(parts).replace("_", " ")
