"""`related to`: find the pages related to a page, and print a table, the reasons, JSON or CSV."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

import click

from whatsrelated.cli.answer_formats import FORMATS
from whatsrelated.cli.candidates import complete_pages
from whatsrelated.cli.method_help import MethodCommand
from whatsrelated.cli.output import (
    clean,
    print_csv,
    print_json,
    print_table,
    print_tabs,
    print_wrapped,
    say,
    shorten,
)
from whatsrelated.cli.parameters import GraphChoice, by_option, drop_unset, graph_option, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.contract.candidates import Result
from whatsrelated.contract.strength import GRADES, WEAK, percent
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.methods import METHODS
from whatsrelated.query.answer import Answer
from whatsrelated.query.evidence import outline, reasons
from whatsrelated.query.request import DEFAULT_METHOD, Request
from whatsrelated.query.weights import read_weights

EXAMPLES = {
    "related to www.louvre.fr": "the pages related to a page",
    "related to tea.html coffee.html --why": "related to both, with the reasons",
    "related to tea.html milk.html:0.5 --unlike soup.html": "with weights, and away from a page",
    "related to tea.html --new --limit 5": "only pages it does not link to yet",
    "related to tea.html --by lli --parents 500": "another method, with one of its options",
    "related to --by lli --help": "the options of that method",
    "related to --from-file pages.txt --csv": "one answer per line of a file",
}

COLOURS = {"strong": "green", "likely": "green", "possible": "yellow"}
"""The colour for each strength, on terminals that support colours."""


@click.command(name="to", cls=MethodCommand, examples=EXAMPLES)
@click.argument("pages", nargs=-1, metavar="PAGE...", shell_complete=complete_pages)
@graph_option
@by_option(DEFAULT_METHOD, f"The method: one of {', '.join(METHODS)}.")
@click.option(
    "--unlike",
    multiple=True,
    metavar="PAGE",
    shell_complete=complete_pages,
    help="Move away from this page; may be repeated, and may have a weight.",
)
@click.option("--why", is_flag=True, help="Print the reasons for every result.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole answer as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print position, score, URL and title as CSV.")
@click.option(
    "--as",
    "kind",
    type=click.Choice(list(FORMATS)),
    help="Print the results for other programs: BibTeX for works named by DOI, JSON-LD or RSS.",
)
@click.option(
    "--from-file",
    "file",
    metavar="FILE",
    type=click.File(encoding="utf-8", errors="replace"),
    help="Answer for each page in a file, one per line; `-` (also as PAGE) is standard input.",
)
@options_of([Request, *METHODS.values()])
def command(
    pages: tuple[str, ...],
    graph: GraphChoice,
    by: str,
    unlike: tuple[str, ...],
    why: bool,
    as_json: bool,
    as_csv: bool,
    kind: str | None,
    file: IO[str] | None,
    **options: Any,
) -> int:
    """Find the pages related to PAGE, or to several pages together.

    PAGE:WEIGHT gives a page a weight, such as tea.html:0.5; pages without one then weigh 1.
    """
    if pages == ("-",) and file is None:
        pages, file = (), click.open_file("-", encoding="utf-8", errors="replace")
    if file is not None and pages:
        raise OptionError("to: give pages or --from-file, not both.")
    if kind is not None and (file is not None or as_json or as_csv or why):
        raise OptionError("to: --as cannot be combined with --from-file, --json, --csv or --why.")
    if file is None and not pages:
        raise click.UsageError("Missing argument 'PAGE...'.")
    opened = graph.open()

    away = read_weights(opened.store, unlike)

    def ask(urls: list[str]) -> Answer:
        pages = read_weights(opened.store, urls)
        with ProgressLine() as progress:
            return opened.related(
                pages, by=by, unlike=away, progress=progress, **drop_unset(options)
            )

    if file is not None:
        return _answer_each(_listed(file), ask, why, as_json, as_csv)
    answer = ask(list(pages))
    if kind is not None:
        click.echo(FORMATS[kind](answer), nl=False)
    elif as_json:
        print_json(answer.reply(why))
    elif as_csv:
        head, rows = _table(answer)
        print_csv(["position", *head], rows)
    else:
        print_answer(answer, why)
    return 0 if len(answer) else 1


def _listed(lines: Iterable[str]) -> Iterator[str]:
    """The pages in a file: the first column of each line, without blank lines or comments."""
    for line in lines:
        page = line.partition("\t")[0].strip()
        if page and not page.startswith("#"):
            yield page


def _answer_each(
    pages: Iterable[str], ask: Callable[[list[str]], Answer], why: bool, as_json: bool, as_csv: bool
) -> int:
    """Answer each page in turn; return 1 if any has no answer.

    JSON has one answer per line. Table rows start with the query page.
    """
    status, done = 0, 0
    for page in pages:
        try:
            answer = ask([page])
        except PageNotFound as error:
            say(str(error))
            status = 1
            continue
        status = status if len(answer) else 1
        if as_json:
            print_json(answer.reply(why))
        elif as_csv or not (why or sys.stdout.isatty()):
            head, rows = _table(answer)
            print_rows = print_csv if as_csv else print_tabs
            for note in [] if as_csv else answer.notes:
                say(note)
            names = None if done else ["asked", "position", *head]
            print_rows(names, [[page, *row] for row in rows])
        else:
            heading = f"Related to {clean(page)}:"
            click.echo(("\n" if done else "") + click.style(heading, underline=True))
            print_answer(answer, why)
        done += 1
    if not done and not status:
        raise OptionError("to: the list has no pages; give one per line.")
    return status


def print_answer(answer: Answer, why: bool) -> None:
    """Print an answer for people: notes on stderr, results as a table or with their reasons."""
    for note in answer.notes:
        say(note)
    if not len(answer):
        say("No related pages found.")
        return
    if why:
        print_reasons(answer)
        for line in outline(answer.details) if not getattr(answer.by, "percent", False) else ():
            say(f"{answer.by.name}: {line}")
    elif sys.stdout.isatty():
        _print_for_people(answer)
    else:
        (score, _, *rest), rows = _table(answer)
        print_table(["#", score, "page", *rest], rows)
    if sys.stderr.isatty():
        vicinity = answer.vicinity
        say(
            f"{answer.by.name}: {vicinity['pages']:,} pages and {vicinity['links']:,} links read "
            f"in {answer.took_ms:.1f} ms"
        )


def _table(answer: Answer) -> tuple[list[str], list[list[Any]]]:
    """The columns after the position, and the rows; grouped if there are clusters."""
    rows: list[list[Any]] = [[i, r.score, r.url, r.title or ""] for i, r in enumerate(answer, 1)]
    if answer.clusters is None:
        return ["score", "url", "title"], rows
    numbered = zip(answer.cluster_numbers(), rows, strict=True)
    rows = [[*row, number] for number, row in numbered]
    rows.sort(key=lambda row: (row[-1] is None, row[-1] or 0, row[0]))
    return ["score", "url", "title", "cluster"], rows


def _print_for_people(answer: Answer) -> None:
    """Print the table with strengths in words; weak results are dimmed."""
    (_, _, *rest), rows = _table(answer)
    results = [answer[place - 1] for place, *_ in rows]
    shown = [
        [place, shown_score(result, answer), *row]
        for (place, _, *row), result in zip(rows, results, strict=True)
    ]
    faint = [place for place, result in enumerate(results) if answer.grade(result) == WEAK]
    print_table(["#", _score_word(answer), "page", *rest], shown, faint)


def print_reasons(answer: Answer) -> None:
    """Print every result with its reasons, then the meaning of the score."""
    for place, result in enumerate(answer, 1):
        print_result(place, result, answer)
    for number, cluster in enumerate(answer.clusters or (), 1):
        click.echo(f"Cluster {number}: {', '.join(map(str, cluster.places))}")
    if answer.scored:
        click.echo()
        print_wrapped(f"{_score_word(answer)}: {answer.scored}.", "", "  ")
    if answer.are_strengths:
        limits = "; ".join(f"{grade} from {minimum:.0%}" for grade, minimum in GRADES.items())
        print_wrapped(f"{limits}; below that, the evidence is weak.", "", "  ")


def print_result(place: int, result: Result, answer: Answer) -> None:
    """Print a result with its reasons: one per part of the score, or a sentence with numbers."""
    evidence, title = result.evidence, _title(result)
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    address = shorten(clean(result.url), max(room - len(f"{place}. {title}"), room // 2))
    click.echo(click.style(f"{place}. {address}", fg="cyan") + click.style(title, bold=True))
    grade = answer.grade(result)
    score = f"{_score_word(answer)} {shown_score(result, answer, ': ')}"
    click.echo(f"   {click.style(score, fg=COLOURS.get(grade or ''), dim=grade == WEAK or None)}")
    for reason in reasons(evidence):
        print_wrapped(clean(reason), "   - ", "     ")
    hidden = ("parts", "lists", "raw_score")
    for line in outline({key: value for key, value in evidence.items() if key not in hidden}):
        print_wrapped(clean(line), "     ", "       ")


def _title(result: Result) -> str:
    """The title to print after the address; empty if it repeats the address."""
    return f"  {clean(result.title)}" if result.title and result.title != result.url else ""


def shown_score(result: Result, answer: Answer, between: str = " ") -> str:
    """Format a score: a strength as a percentage and a word, any other score with four digits."""
    grade = answer.grade(result)
    if grade is None:
        return clean(result.score)
    if result.pinned:
        return grade
    return f"{percent(result.score)}{between}{f'{WEAK} evidence' if grade == WEAK else grade}"


def _score_word(answer: Answer) -> str:
    return "strength" if answer.are_strengths else "score"
