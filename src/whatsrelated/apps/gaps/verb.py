"""`related gaps`: suggest fixes to a site's owner, as tables, JSON, CSV or a report."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from whatsrelated import api
from whatsrelated.api.stores import disk
from whatsrelated.apps.gaps.audit import gaps_of
from whatsrelated.apps.gaps.dismissals import dismiss, read_dismissals
from whatsrelated.apps.gaps.findings import (
    CHECKED,
    KINDS,
    BrokenLink,
    Gaps,
    MissingLink,
    PageGroup,
    RedirectingLink,
    SitePage,
    by_target,
)
from whatsrelated.apps.gaps.site_gaps import GapOptions
from whatsrelated.cli.output import print_csv, print_json, print_table, say
from whatsrelated.cli.parameters import (
    READ_TEXT,
    GraphChoice,
    drop_unset,
    options_of,
    report_option,
)
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.machine.files import write_file

SHOWN = 10
"""Maximum number of rows shown per list, except for missing links; --json, --csv and --report have
all.
"""
Row = list[Any]


@click.command(name="gaps")
@click.argument("site", required=False, metavar="[GRAPH|FOLDER]")
@options_of([GapOptions], without={"sources", "targets"})
@click.option(
    "--from",
    "sources",
    type=READ_TEXT,
    multiple=True,
    metavar="PATTERN",
    help="Suggest links only on matching pages: a glob, re:EXPRESSION, or part of the name.",
)
@click.option(
    "--to",
    "targets",
    type=READ_TEXT,
    multiple=True,
    metavar="PATTERN",
    help="Suggest links only to these pages.",
)
@click.option(
    "--ignore",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="A file of dismissed findings; each line has SOURCE, a tab and TARGET, or one page.",
)
@click.option(
    "--dismiss",
    "dismissed",
    nargs=2,
    multiple=True,
    metavar="SOURCE TARGET",
    help="Dismiss this link: add it to the --ignore file; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print everything as CSV.")
@report_option("Write an HTML page with a map of the site and all tables.")
@click.option(
    "--fail-on",
    metavar="KINDS",
    help=f"Exit with status 1 if any of these are found: {', '.join(KINDS)}.",
)
def command(
    site: str | None,
    sources: tuple[str, ...],
    targets: tuple[str, ...],
    ignore: str | None,
    dismissed: tuple[tuple[str, str], ...],
    as_json: bool,
    as_csv: bool,
    report: str | None,
    fail_on: str | None,
    **options: Any,
) -> int:
    """Show which links are missing or broken, and which pages are hard to find.

    GRAPH is $RELATED_GRAPH or ./web.graph by default; a FOLDER of HTML or notes is read directly.
    """
    kinds = _kinds(fail_on)
    lines = _dismissals(ignore, dismissed)
    with opened(site) as graph:
        with ProgressLine() as progress:
            found = gaps_of(
                graph,
                ignore=lines,
                progress=progress,
                **drop_unset({**options, "sources": sources, "targets": targets}),
            )
        if report is not None:
            _write_report(graph, found, report, site)
    if as_json:
        print_json(found.as_dict())
    elif as_csv:
        print_csv(["kind", "page", "line", "to", "score", "reason"], _csv_rows(found))
    else:
        _show(found)
    failed = [f"{found.counts()[kind]:,} {kind}" for kind in kinds if found.counts()[kind]]
    if failed:
        say(f"Found {', '.join(failed)} (--fail-on).")
    if unknown := [kind for kind in kinds if found.is_unknown(kind)]:
        say(f"Could not be checked: {', '.join(unknown)} (--fail-on).")
    return 1 if failed or unknown else 0


@contextmanager
def opened(site: str | None) -> Iterator[api.Graph]:
    """The graph, or the temporary graph of a folder of pages."""
    choice = GraphChoice(site)
    path = choice.folder
    if path is None or not path.is_dir() or (path / disk.CURRENT).exists():
        yield choice.open()
        return
    with tempfile.TemporaryDirectory() as scratch:
        with ProgressLine() as progress:
            graph = api.build(
                [path], Path(scratch, "site.graph"), progress=progress, allow_empty=True
            )
        with graph:
            yield graph


def _kinds(text: str | None) -> list[str]:
    kinds = [kind.strip().replace("-", "_") for kind in (text or "").split(",") if kind.strip()]
    for kind in kinds:
        if kind not in KINDS:
            raise OptionError(f"gaps: fail-on has no {kind!r:.40}; it has {', '.join(KINDS)}.")
    return kinds


def _dismissals(ignore: str | None, dismissed: tuple[tuple[str, str], ...]) -> list[str]:
    if dismissed:
        if ignore is None:
            raise OptionError("gaps: --dismiss needs a file; name one with --ignore.")
        say(f"{ignore}: {dismiss(ignore, dismissed):,} added.")
    return [] if ignore is None else read_dismissals(ignore)


def _write_report(graph: api.Graph, found: Gaps, path: str, site: str | None) -> None:
    from whatsrelated.apps.gaps.report import report

    text = report(graph.store, found, site or str(graph.store.path or "the sample Web"))
    write_file(path, text)
    say(f"Wrote {path}.")


def _show(found: Gaps) -> None:
    """Print the counts, the missing links, and the first rows of each other list."""
    click.echo(f"{found.pages:,} pages, {found.links:,} links between them")
    for note in found.notes:
        say(note)
    cut = False
    for kind, title in KINDS.items():
        listed = getattr(found, kind)
        click.echo(f"\n{title}: {found.count(kind)}")
        rows = by_target(listed) if kind in CHECKED else listed
        most = len(rows) if kind == "missing" else SHOWN
        cut |= len(rows) > most
        if listed:
            print_table(HEADS[type(listed[0])], [_row(one) for one in rows[:most]])
    if found.dismissed:
        say(f"{found.dismissed:,} missing links were dismissed.")
    if cut:
        say(f"Showing {SHOWN} of each list; --json, --csv and --report have all.")


HEADS: dict[type, list[str]] = {
    MissingLink: ["score", "page", "link to", "because"],
    SitePage: ["links to it", "from it", "navigation", "page", "title"],
    BrokenLink: ["leads to", "status", "pages", "for example"],
    RedirectingLink: ["leads to", "redirects to", "hops", "pages", "for example"],
    PageGroup: ["pages", "which"],
}


def _row(one: Any) -> Row:
    if isinstance(one, MissingLink):
        return [f"{one.score:.2f}", one.source, one.target, one.reason]
    if isinstance(one, SitePage):
        return [one.links_in, one.links_out, one.navigation, one.url, one.title]
    if isinstance(one, list):
        return _group_row(one)
    return [len(one.pages), " ".join(one.pages[:SHOWN])]


def _group_row(links: list[Any]) -> list[Any]:
    """A target that is broken or redirects, and the first page that links to it."""
    first = links[0]
    if isinstance(first, RedirectingLink):
        return [first.link, first.target or "a loop", first.hops or None, len(links), first.page]
    place = first.page if first.line is None else f"{first.page}:{first.line}"
    return [first.link, first.status or "no file", len(links), place]


def _csv_rows(found: Gaps) -> Iterator[Row]:
    """All findings as one table.

    Each page of a group is a row, with the group's first page as `to`.
    """
    for kind in KINDS:
        for one in getattr(found, kind):
            if isinstance(one, MissingLink):
                yield [kind, one.source, None, one.target, one.score, one.reason]
            elif isinstance(one, BrokenLink):
                yield [kind, one.page, one.line, one.link, None, one.status]
            elif isinstance(one, RedirectingLink):
                yield [kind, one.page, None, one.link, None, one.target or "a loop"]
            elif isinstance(one, SitePage):
                yield [kind, one.url, None, None, None, None]
            else:
                yield from ([kind, page, None, one.pages[0], None, None] for page in one.pages[1:])
