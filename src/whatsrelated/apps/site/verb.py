"""`related site`: write related pages into a built site, or as data for its generator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from whatsrelated.api.asking import DEFAULT_METHOD, Request
from whatsrelated.api.reading import HtmlFolder
from whatsrelated.apps.site.options import SiteOptions
from whatsrelated.apps.site.run import Asking, SiteChanges, remove_lists, write_data, write_lists
from whatsrelated.cli.method_help import MethodCommand
from whatsrelated.cli.output import clean, say
from whatsrelated.cli.parameters import (
    ChangingOption,
    GraphChoice,
    by_option,
    drop_unset,
    options_of,
)
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options

EXAMPLES = {
    "related site public": "write related pages into every page of a built site",
    "related site public --check": "check that the lists are up to date, for CI",
    "related site public --show related,backlinks --limit 3": "write two lists of three pages",
    "related site public --remove": "restore the original pages",
    "related site . --data data/related.json": "write all lists as data, for Hugo, Jekyll, …",
}

SHOWN = 10
"""Maximum number of paths shown for each kind of problem."""

OF_REQUESTS = {*declared_options(SiteOptions), "clusters", "hints"}
"""Options that every method has, but that `related site` sets in its own way."""


@click.command(name="site", cls=MethodCommand, examples=EXAMPLES)
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--graph",
    "-g",
    metavar="GRAPH",
    help="Query this graph of the same pages; by default, FOLDER is read.",
)
@by_option(DEFAULT_METHOD, f"The method: one of {', '.join(METHODS)}.")
@click.option(
    "--data",
    metavar="FILE",
    help="Write all lists to this file (.json, .yaml or .toml) instead of into the pages.",
)
@click.option(
    "--format", "kind", help="Format of FOLDER for --data, if it is not recognised: hugo, jekyll, …"
)
@click.option(
    "--check",
    is_flag=True,
    help="Change nothing; list the files that would change, and exit with 1 if any.",
)
@click.option("--dry-run", is_flag=True, help="Change nothing; report what would be done.")
@click.option(
    "--remove",
    cls=ChangingOption,
    is_flag=True,
    help="Remove the lists and restore the original pages.",
)
@options_of([SiteOptions])
@options_of([Request, *METHODS.values()], without=OF_REQUESTS)
@options_of([HtmlFolder], without={"internal", "report", "anchors"})
def command(
    folder: str,
    graph: str | None,
    by: str,
    data: str | None,
    kind: str | None,
    check: bool,
    dry_run: bool,
    remove: bool,
    **options: Any,
) -> int:
    """Write a list of related pages into every page of FOLDER, a built site.

    Links are read from the pages themselves. Nothing outside the lists is changed, and a second run
    replaces the lists.
    """
    if remove and data:
        raise OptionError(
            "site: --remove does not work with --data; delete the data file yourself."
        )
    dry = check or dry_run
    with ProgressLine() as progress:
        if remove:
            outcome = remove_lists(folder, dry=dry)
        else:
            asking = Asking.of({"by": by, **drop_unset(options)}, progress)
            opened = GraphChoice(graph).open() if graph else None
            if opened and asking.reading:
                name = next(iter(asking.reading))
                raise OptionError(
                    f"site: {name} affects how FOLDER is read, but --graph is read instead."
                )
            if data:
                outcome = write_data(folder, Path(data), asking, opened, format=kind, dry=dry)
            else:
                outcome = write_lists(folder, asking, opened, dry=dry)
    _report(folder, outcome, check=check, dry=dry)
    return 1 if check and outcome.changed else 0


def _report(folder: str, outcome: SiteChanges, *, check: bool, dry: bool) -> None:
    if outcome.refused.total():
        say(f"{folder}: {outcome.refused}.")
    _list(outcome.without_place, "has no place for a list; put <!-- related-pages --> into it")
    _list(outcome.bad_markers, "is unchanged: its begin and end markers do not match")
    if check:
        for path in outcome.changed:
            click.echo(clean(path))
    would = "would change" if dry else "changed"
    say(
        f"{folder}: {outcome.pages:,} pages, {outcome.with_list:,} with a list, "
        f"{outcome.skipped:,} skipped; {len(outcome.changed):,} files {would}"
    )


def _list(paths: list[str], what: str) -> None:
    for path in paths[:SHOWN]:
        say(f"  {path} {what}")
    if len(paths) > SHOWN:
        say(f"  and {len(paths) - SHOWN:,} more")
