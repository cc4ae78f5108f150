"""The actions of `related gaps` on missing links with a place: print, patch, apply, review."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from whatsrelated.apps.gaps.dismissals import dismiss
from whatsrelated.apps.mentions.edits import Changes, apply, plan
from whatsrelated.apps.mentions.linking import LinkWriter
from whatsrelated.apps.mentions.patch import patch
from whatsrelated.apps.mentions.reports import lint, message, sarif
from whatsrelated.cli.output import clean, say
from whatsrelated.errors import OptionError
from whatsrelated.machine.files import write_file

if TYPE_CHECKING:
    from whatsrelated.apps.gaps.findings import MissingLink
    from whatsrelated.apps.mentions.finder import MentionFinder
    from whatsrelated.apps.mentions.linking import Edit

Ask = Callable[[str], str]
QUESTION = "Link it? y: yes, n: no, v: never, q: quit"


def changes_of(
    finder: MentionFinder, links: Iterable[tuple[str, str]], see_also: bool = False
) -> Changes:
    """The edits that add these links, given as page and target; those without a mention only with
    `see_also`.
    """
    writer = LinkWriter(finder.corpus)
    edits: list[Edit] = []
    unwritten = 0
    page_of = finder.corpus.page_of
    for source, target_name in links:
        page, target = page_of(source), page_of(target_name)
        place = finder.place(page, target)
        if place is None or (not place.words and not see_also):
            continue
        edit = writer.edit(place, page, target)
        if edit is None:
            unwritten += 1
        else:
            edits.append(edit)
    changes = plan(finder.corpus, edits)
    changes.left_out["links that cannot be written in this format"] += unwritten
    return changes


def act(
    finder: MentionFinder,
    links: Sequence[MissingLink],
    *,
    patch_file: str | None,
    write: bool,
    as_lint: bool,
    sarif_file: str | None,
    review: bool,
    see_also: bool,
    ignore: str | None,
) -> bool:
    """Print, write or review the links as the options say; return whether any option did."""
    from whatsrelated import __version__

    if as_lint:
        for line in lint(links):
            click.echo(line)
    if sarif_file is not None:
        write_file(sarif_file, sarif(links, __version__))
        say(f"Wrote {sarif_file}.")
    chosen = list(links)
    if review:
        if ignore is None:
            raise OptionError(
                "gaps: --review saves the links you dismiss; name a file with --ignore."
            )
        if patch_file is None and not write:
            raise OptionError(
                "gaps: --review needs --patch FILE or --apply for the links you accept."
            )
        chosen = ask_for_each(links, ignore)
    if patch_file is not None or write:
        pairs = [(link.source, link.target) for link in chosen]
        changes = changes_of(finder, pairs, see_also)
        if patch_file is not None:
            write_file(patch_file, patch(changes))
            say(f"Wrote {patch_file}: {counted(changes)}. Apply it with: git apply {patch_file}")
        if write:
            apply(finder.corpus, changes)
            say(f"Added {counted(changes)}. To undo this, run the command with --undo.")
        for reason, count in changes.left_out.items():
            if count:
                say(f"Left out: {count:,} {reason}.")
    return as_lint or patch_file is not None or write or sarif_file is not None


def counted(changes: Changes) -> str:
    """The number of links and of files, as text."""
    links, files = changes.links, len(changes.files)
    return f"{links:,} link{'s' * (links != 1)} in {files:,} file{'s' * (files != 1)}"


def ask_for_each(
    links: Sequence[MissingLink], ignore: str, ask: Ask | None = None
) -> list[MissingLink]:
    """Show each link and ask; return the accepted ones. "Never" adds a link to the dismissals."""
    accepted = []
    for number, link in enumerate(links, 1):
        place = link.place
        if place is None:
            continue
        where = f"{place.file}:{place.line}:{place.column}"
        click.echo(f"\n{number} of {len(links)}  {clean(where)}  {clean(message(link))}")
        if place.anchor:
            marked = click.style(clean(place.anchor), bold=True, underline=True)
            click.echo(f"  {clean(place.before)}{marked}{clean(place.after)}")
        answer = (ask or _prompt)(QUESTION).strip().lower()[:1]
        if answer == "q":
            break
        if answer == "y":
            accepted.append(link)
        elif answer == "v":
            dismiss(ignore, [(link.source, link.target)])
    return accepted


def _prompt(question: str) -> str:
    answer: Any = click.prompt(
        question, type=click.Choice(["y", "n", "v", "q"]), show_choices=False, default="n"
    )
    return str(answer)
