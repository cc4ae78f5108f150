"""The command `related`: one module per verb, loaded on use."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from whatsrelated.cli.signals import end_at_once, end_tidily
from whatsrelated.cli.verbs import VERBS, summaries
from whatsrelated.errors import OptionError, PageNotFound, RelatedError, suggestion
from whatsrelated.machine.places import similar_path

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


START = """\
Find related pages, from links alone.

  related demo                  a first answer, from the sample Web
  related FOLDER                browse your site or notes in the browser
  related build LINKS.tsv       build web.graph from your own links;
  related to PAGE               then ask for the pages related to PAGE

related --help lists all commands."""
"""The text that `related` prints without a verb."""


class Verbs(click.Group):
    """Loads a verb's module only when that verb is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return VERBS[name] if name in VERBS else None  # noqa: SIM401 -- Registry has no get

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; treat `help VERB` as `VERB --help`, and suggest a verb for a typo.

        A folder, a file or a URL given instead of a verb is served and opened in the browser.
        """
        if args[0] == "help":
            args = [*args[1:2], "--help"]
        if args == ["--help"]:
            click.echo(ctx.get_help())
            ctx.exit()
        if args[0] not in VERBS:
            args = _served(args)
        if args[0] not in VERBS:
            meant = suggestion(args[0], VERBS) or similar_path(args[0])
            if not meant and "." in args[0]:
                meant = f"to ask about a page: related to {args[0]:.80}"
            raise click.UsageError(
                f"No command, folder or file {args[0]!r:.80}{f'; {meant}' if meant else '.'}", ctx
            )
        verb, command, rest = super().resolve_command(ctx, args)
        if verb and command and verb != "config":
            with suppress(*[OptionError] * (verb == "doctor")):  # doctor reports it
                ctx.default_map = {verb: self._configured(verb, command)}
        return verb, command, rest

    def _configured(self, verb: str, command: click.Command) -> dict[str, Any]:
        """The options that files set for a verb; raises OptionError if no verb has one of them."""
        from whatsrelated.cli import config_files

        settings = config_files.read(VERBS)
        chosen = config_files.defaults(verb, command, settings)
        first = ("to", *(name for name in VERBS if name != "to"))
        others = map(VERBS.loadable, first)
        config_files.refuse_unknown(settings, chain([command], filter(None, others)))
        return chosen

    def invoke(self, ctx: click.Context) -> object:
        """Run a verb; a reader that closes the pipe early is not an error."""
        try:
            result: object = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise click.exceptions.Exit(0) from None
        except (click.UsageError, OptionError) as error:
            for verb in (verb for verb, chosen in (ctx.default_map or {}).items() if chosen):
                error.add_note(f"Some options come from files; `related config {verb}` lists them.")
            raise
        return result

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Complete verbs without loading our own."""
        from click.shell_completion import CompletionItem

        listed = chain.from_iterable(group.items() for group in summaries().values())
        return [
            CompletionItem(verb, help=text) for verb, text in listed if verb.startswith(incomplete)
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups = summaries()
        width = max(map(len, chain.from_iterable(groups.values())))
        for group, verbs in groups.items():
            with formatter.section(group):
                formatter.write_dl([(f"{verb:{width}}", text) for verb, text in verbs.items()])


def _served(args: list[str]) -> list[str]:
    """The arguments that serve a folder, file or URL given instead of a verb."""
    source, *rest = args
    if source.lower().startswith(("http://", "https://")):
        from whatsrelated.machine.places import cache_folder

        name = "".join(letter if letter.isalnum() else "-" for letter in source.partition("//")[2])
        folder = cache_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        graph = str(folder / f"{name[:80]}.graph")
        VERBS["crawl"].main([source, "-o", graph, *rest], "related crawl", standalone_mode=False)
        return ["serve", "--browse", graph]
    return ["serve", "--browse", source, *rest] if Path(source).exists() else args


def _version(ctx: click.Context, option: click.Parameter, is_set: bool) -> None:
    if is_set and not ctx.resilient_parsing:
        from importlib import metadata

        from whatsrelated import kernels
        from whatsrelated.names.hosts import public_suffix_version

        click.echo(
            f"whatsrelated {metadata.version('whatsrelated')}, {kernels.in_use()} kernels, "
            f"public suffix list of {public_suffix_version()}"
        )
        ctx.exit()


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "RELATED"},
    subcommand_metavar="COMMAND|FOLDER|FILE|URL ...",
    invoke_without_command=True,
)
@click.option(
    "--version",
    is_flag=True,
    callback=_version,
    is_eager=True,
    expose_value=False,
    help="Show the version and exit.",
)
@click.pass_context
def related(context: click.Context) -> None:
    """Find related pages, from links alone.

    \b
    Example: related to www.nytimes.com --graph sample

    Given a FOLDER of pages or notes, a FILE of links or a URL, related builds a graph in the cache,
    serves it and opens the browser: related FOLDER.
    """
    if context.invoked_subcommand is None:
        click.echo(START)


def _open_closed_streams() -> None:
    """Reopen closed standard streams on /dev/null, so no other file gets their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 -- stays open


def _refuse_nul(words: list[str]) -> None:
    for word in words:
        if "\0" in word:
            raise RelatedError(f"{word!r:.80} contains a NUL character, which is not allowed.")


def _show_notes(error: Exception) -> None:
    for note in getattr(error, "__notes__", ()):
        click.echo(note, err=True)


def main() -> None:
    """Run the command; turn every error into one line and an exit status."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _open_closed_streams()
    try:
        end_tidily()
        _run()
    except (click.Abort, KeyboardInterrupt):
        end_at_once()
        click.echo("Stopped.", err=True)
        sys.exit(130)
    finally:
        end_at_once()


def _run() -> NoReturn:
    try:
        _refuse_nul(sys.argv)
        color = False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None
        sys.exit(related.main(standalone_mode=False, color=color) or 0)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        error.show()
        _show_notes(error)
        sys.exit(2)
    except RelatedError as error:
        from whatsrelated.cli.output import say

        say(f"related: {str(error).removeprefix('related: ')}")
        _show_notes(error)
        sys.exit(1 if isinstance(error, PageNotFound) else 2)
    except RuntimeError as error:  # Ctrl-C while a class was being created
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        raise KeyboardInterrupt from None
    except OSError as error:  # no other code turned it into a RelatedError
        from whatsrelated.cli.output import say

        where = f"{str(error.filename)[:200]}: " if error.filename else ""
        say(f"related: {where}{error.strerror or error}.")
        sys.exit(2)
