"""`related gaps`: suggest fixes to a site's owner, as tables, JSON, CSV or a report."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from whatsrelated import api
from whatsrelated.api.asking import read_decisions
from whatsrelated.api.stores import OpenWith, disk
from whatsrelated.apps.gaps.audit import gaps_of
from whatsrelated.apps.gaps.dismissals import dismiss
from whatsrelated.apps.gaps.findings import (
    KINDS,
    BrokenLink,
    Gaps,
    MissingLink,
    PageGroup,
    RedirectingLink,
    SitePage,
)
from whatsrelated.apps.gaps.site_gaps import GapOptions
from whatsrelated.cli.output import counted, print_csv, print_json, print_table, say
from whatsrelated.cli.parameters import (
    READ_TEXT,
    ChangingOption,
    GraphChoice,
    drop_unset,
    graph_option,
    options_of,
    report_option,
)
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.machine.files import write_file

if TYPE_CHECKING:
    from whatsrelated.apps.mentions.finder import MentionFinder

SHOWN = 10
"""Maximum number of rows shown per list, except for missing links; --json, --csv and --report have
all.
"""
PLACES = 3
"""Maximum number of pages shown for a link that is broken or redirects."""
Row = list[Any]


@click.command(name="gaps")
@click.argument("site", required=False, metavar="[GRAPH|FOLDER]")
@graph_option
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
    cls=ChangingOption,
    nargs=2,
    multiple=True,
    metavar="SOURCE TARGET",
    help="Dismiss this link: add it to the --ignore file; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print everything as CSV.")
@report_option("Write an HTML page with a map of the site and all tables.")
@click.option(
    "--open-with",
    metavar="ADDRESS",
    help="Address that opens a page of a folder from the report, such as vscode://file{path} or "
    "https://docs.example.org/{name}.",
)
@click.option(
    "--fail-on",
    metavar="KINDS",
    help=f"Exit with status 1 if any of these are found: {', '.join(KINDS)}.",
)
@click.option(
    "--places",
    is_flag=True,
    help="Show where each missing link of a folder goes in the text.",
)
@click.option("--patch", metavar="FILE", help="Write the missing links as a diff for git apply.")
@click.option(
    "--apply",
    "write",
    cls=ChangingOption,
    is_flag=True,
    help="Write the missing links into the files.",
)
@click.option("--undo", cls=ChangingOption, is_flag=True, help="Undo the last --apply.")
@click.option(
    "--review", is_flag=True, help="Ask about each link before --patch or --apply (needs --ignore)."
)
@click.option(
    "--see-also",
    is_flag=True,
    help='Also write "See also" lines for pages that do not mention the target.',
)
@click.option(
    "--least-score",
    type=click.FloatRange(0, 1),
    default=None,
    help="Leave out missing links with a lower score. [default: 0; 0.5 if files are changed]",
)
@click.option("--lint", is_flag=True, help="Print missing links as file:line:column: message.")
@click.option("--sarif", metavar="FILE", help="Write missing links as SARIF, for code review.")
def command(
    graph: GraphChoice,
    site: str | None,
    sources: tuple[str, ...],
    targets: tuple[str, ...],
    ignore: str | None,
    dismissed: tuple[tuple[str, str], ...],
    as_json: bool,
    as_csv: bool,
    report: str | None,
    open_with: str | None,
    fail_on: str | None,
    places: bool,
    undo: bool,
    least_score: float | None,
    **options: Any,
) -> int:
    """Show which links are missing or broken, and which pages are hard to find.

    GRAPH is $RELATED_GRAPH or ./web.graph by default; a FOLDER of HTML or notes is read directly.
    """
    kinds = _kinds(fail_on)
    if open_with is not None:
        OpenWith(open_with)
    if undo:
        return _undo(site)
    actions = {name: options.pop(name) for name in ACTIONS}
    if actions["write"]:
        _require_folder(site)
    lines = _dismissals(ignore, dismissed)
    with opened(graph.at(site)) as site_graph:
        finder = _finder(site_graph, places or any(actions.values()))
        with ProgressLine() as progress:
            gaps = gaps_of(
                site_graph,
                ignore=lines,
                progress=progress,
                places=finder,
                **drop_unset({**options, "sources": sources, "targets": targets}),
            )
        if least_score is None:
            least_score = MIN_WRITTEN if actions["patch"] or actions["write"] else 0.0
        gaps.missing[:] = [one for one in gaps.missing if one.score >= least_score]
        if report is not None:
            _write_report(site_graph, gaps, report, site or graph.path, open_with)
        acted = finder is not None and _act(finder, gaps, ignore, **actions)
    if acted:
        pass
    elif as_json:
        print_json(gaps.as_dict())
    elif as_csv:
        print_csv(["kind", "page", "line", "to", "score", "reason"], _csv_rows(gaps))
    else:
        _show(gaps)
    failed = [f"{gaps.counts()[kind]:,} {kind}" for kind in kinds if gaps.counts()[kind]]
    if failed:
        say(f"Found {', '.join(failed)} (--fail-on).")
    if unknown := [kind for kind in kinds if gaps.is_unknown(kind)]:
        say(f"Could not be checked: {', '.join(unknown)} (--fail-on).")
    return 1 if failed or unknown else 0


MIN_WRITTEN = 0.5
"""Default minimum score of the links that are written into files."""
ACTIONS = ("patch", "write", "review", "see_also", "lint", "sarif")
"""Options that need the text of the pages."""


def _finder(graph: api.Graph, places: bool) -> MentionFinder | None:
    """Finds the places of links, if requested."""
    from whatsrelated.apps.mentions.finder import MentionFinder, folder_of

    return MentionFinder(graph.store, folder_of(graph.store)) if places else None


def _act(
    finder: MentionFinder,
    gaps: Gaps,
    ignore: str | None,
    patch: str | None,
    write: bool,
    review: bool,
    see_also: bool,
    lint: bool,
    sarif: str | None,
) -> bool:
    from whatsrelated.apps.mentions.actions import act

    return act(
        finder,
        gaps.missing,
        patch_file=patch,
        write=write,
        as_lint=lint,
        sarif_file=sarif,
        review=review,
        see_also=see_also,
        ignore=ignore,
    )


def _undo(site: str | None) -> int:
    from whatsrelated.apps.mentions.edits import undo

    if site is None:
        raise OptionError("gaps: --undo needs the folder; name it: related gaps FOLDER --undo.")
    restored, changed = undo(site)
    say(f"Restored {restored:,} files.")
    for path in changed:
        say(f"{path} has changed since then; it is left alone.")
    return 1 if changed else 0


@contextmanager
def opened(choice: GraphChoice) -> Iterator[api.Graph]:
    """The graph, or the temporary graph of a folder of pages."""
    path = choice.folder
    if path is None or not _is_source(path):
        yield choice.open()
        return
    with tempfile.TemporaryDirectory() as scratch:
        with ProgressLine() as progress:
            graph = api.build(
                [path], Path(scratch, "site.graph"), progress=progress, allow_empty=True
            )
        with graph:
            yield graph


def _is_source(path: Path | None) -> bool:
    """Whether a path is a folder of pages rather than a graph."""
    return path is not None and path.is_dir() and not (path / disk.CURRENT).exists()


def _require_folder(site: str | None) -> None:
    """Reject a graph, which could name any folder as its source."""
    if not _is_source(GraphChoice(site).folder):
        raise OptionError(
            "gaps: --apply changes files, so name their folder: related gaps FOLDER --apply."
        )


def _kinds(text: str | None) -> list[str]:
    kinds = [kind.strip().replace("-", "_") for kind in (text or "").split(",") if kind.strip()]
    for kind in kinds:
        if kind not in KINDS:
            raise OptionError(f"gaps: fail-on cannot be {kind!r:.40}; choose {', '.join(KINDS)}.")
    return kinds


def _dismissals(ignore: str | None, dismissed: tuple[tuple[str, str], ...]) -> list[str]:
    if dismissed:
        if ignore is None:
            raise OptionError("gaps: --dismiss needs a file; name one with --ignore.")
        say(f"{ignore}: {dismiss(ignore, dismissed):,} added.")
    return [] if ignore is None else read_decisions(ignore)


def _write_report(
    graph: api.Graph, gaps: Gaps, path: str, site: str | None, open_with: str | None
) -> None:
    from whatsrelated.apps.gaps.report import report

    name = site or str(graph.store.path or "the sample Web")
    text = report(graph.store, gaps, name, open_with)
    write_file(path, text)
    say(f"Wrote {path}.")


def _show(gaps: Gaps) -> None:
    """Print the counts, the missing links, and the first rows of each other list."""
    click.echo(f"{counted(gaps.pages, 'pages')}, {counted(gaps.links, 'links')} between them")
    for note in gaps.notes:
        say(note)
    cut = False
    for kind, rows in gaps.lists().items():
        click.echo(f"\n{KINDS[kind]}: {gaps.count(kind)}")
        max_rows = len(rows) if kind == "missing" else SHOWN
        cut |= len(rows) > max_rows
        if rows:
            first = getattr(gaps, kind)[0]
            print_table(HEADS[type(first)], [_row(one) for one in rows[:max_rows]])
    if gaps.dismissed:
        say(f"{gaps.dismissed:,} missing links were dismissed.")
    if cut:
        say(f"Showing {SHOWN} of each list; --json, --csv and --report have all.")


HEADS: dict[type, list[str]] = {
    MissingLink: ["score", "page", "link to", "because"],
    SitePage: ["links to it", "from it", "navigation", "page", "title"],
    BrokenLink: ["leads to", "status", "links", "on"],
    RedirectingLink: ["leads to", "redirects to", "hops", "links", "on"],
    PageGroup: ["pages", "which"],
}


def _row(one: Any) -> Row:
    if isinstance(one, MissingLink):
        return [f"{one.score:.2f}", _where(one), one.target, one.reason]
    if isinstance(one, SitePage):
        return [one.links_in, one.links_out, one.navigation, one.url, one.title]
    if isinstance(one, list):
        return _group_row(one)
    return [len(one.pages), " ".join(one.pages[:SHOWN])]


def _where(link: MissingLink) -> str:
    """The location of the words to link, or the page if it does not mention the target."""
    place = link.place
    if place is None or not place.anchor:
        return link.source
    return f"{place.file}:{place.line}:{place.column}"


def _group_row(links: list[Any]) -> list[Any]:
    """A target that is broken or redirects, and the pages and lines that link to it."""
    first = links[0]
    places = [one.page if one.line is None else f"{one.page}:{one.line}" for one in links]
    more = f" and {len(links) - PLACES:,} more" if len(links) > PLACES else ""
    on = ", ".join(places[:PLACES]) + more
    if isinstance(first, RedirectingLink):
        return [first.link, first.target or "a loop", first.hops or None, len(links), on]
    return [first.link, first.status or "no file", len(links), on]


def _csv_rows(gaps: Gaps) -> Iterator[Row]:
    """All findings as one table.

    Each page of a group is a row, with the group's first page as `to`.
    """
    for kind in KINDS:
        for one in getattr(gaps, kind):
            if isinstance(one, MissingLink):
                line = None if one.place is None else one.place.line
                yield [kind, one.source, line, one.target, one.score, one.reason]
            elif isinstance(one, BrokenLink):
                yield [kind, one.page, one.line, one.link, None, one.status]
            elif isinstance(one, RedirectingLink):
                yield [kind, one.page, one.line, one.link, None, one.target or "a loop"]
            elif isinstance(one, SitePage):
                yield [kind, one.url, None, None, None, None]
            else:
                yield from ([kind, page, None, one.pages[0], None, None] for page in one.pages[1:])
