"""`related site`: related pages in every page of a built site, or as data for its generator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from whatsrelated.api.asking import DEFAULT_METHOD, Request
from whatsrelated.api.reading import HtmlFolder
from whatsrelated.apps.site.options import SiteOptions
from whatsrelated.apps.site.run import Asking, SiteChanges, remove_lists, write_data, write_lists
from whatsrelated.cli.method_help import MethodCommand
from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import GraphChoice, by_option, drop_unset, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options

EXAMPLES = {
    "related site public": "a list of related pages in every page of a built site",
    "related site public --check": "whether the lists are those of now, for CI",
    "related site public --show related,backlinks --limit 3": "two lists of three pages",
    "related site public --remove": "the pages as they were before",
    "related site . --data data/related.json": "all lists as data, for Hugo, Jekyll and others",
}

SHOWN = 10
"""Paths that are listed of each kind."""

OF_REQUESTS = {*declared_options(SiteOptions), "clusters"}
"""What every method has, and a site has otherwise."""


@click.command(name="site", cls=MethodCommand, examples=EXAMPLES)
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--graph",
    "-g",
    metavar="GRAPH",
    help="A graph of the same pages, which is asked; by default the pages of FOLDER are read.",
)
@by_option(DEFAULT_METHOD, f"The method: one of {', '.join(METHODS)}.")
@click.option(
    "--data",
    metavar="FILE",
    help="Write all lists into this file (.json, .yaml or .toml) instead of into the pages.",
)
@click.option(
    "--format", "kind", help="What FOLDER is, for --data, if it is not recognised: hugo, jekyll, …"
)
@click.option("--check", is_flag=True, help="Change nothing; list what would change, and exit 1.")
@click.option("--dry-run", is_flag=True, help="Change nothing; say what would be done.")
@click.option("--remove", is_flag=True, help="Take the lists out: pages are as they were before.")
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

    Links are read from the pages themselves. Outside of the lists not a byte is changed;
    a second run replaces them.
    """
    if remove and data:
        raise OptionError("site: --remove or --data, not both: remove that file yourself.")
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
                    f"site: {name} says how FOLDER is read, and --graph is read instead."
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
    _list(outcome.bad_markers, "is left alone: markers of a list in it are not in pairs")
    if check:
        for path in outcome.changed:
            click.echo(path)
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
