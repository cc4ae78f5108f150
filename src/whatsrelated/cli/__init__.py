"""The command `related`: one file per verb, loaded when it is asked for."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import click

from whatsrelated.errors import PageNotFound, RelatedError

VERBS = {
    "build": "Build a graph from links, pages or notes.",
    "to": "The pages related to a page.",
    "rank": "The best pages of the whole graph.",
    "compare": "Several methods side by side.",
    "similarity": "How alike pages are, two by two.",
    "links": "Who links to a page, and where it links to.",
    "info": "What a graph holds, and how it was built.",
    "export": "Write a graph for other programs.",
    "evaluate": "Measure methods where it is known what is related.",
    "check": "Compare every file of a graph with what was written.",
    "serve": "Answer over HTTP, with a page to look at.",
    "demo": "Ask the sample Web that comes with the program.",
}


class Verbs(click.Group):
    """Loads a verb's module only when that verb is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = import_module(f"whatsrelated.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


def _version(ctx: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib import metadata

        from whatsrelated import kernels

        click.echo(f"whatsrelated {metadata.version('whatsrelated')}, {kernels.in_use()} kernels")
        ctx.exit()


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, callback=_version, is_eager=True, expose_value=False, help="Say it."
)
def related() -> None:
    """Given a page, the related pages, from the link structure alone."""


def main() -> None:
    """Run the command; every error becomes one line and an exit status here."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _postpone_numpy()
    try:
        sys.exit(related.main(standalone_mode=False) or 0)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        sys.exit(130)
    except RelatedError as error:
        from whatsrelated.cli.output import say

        say(f"related: {str(error).removeprefix('related: ')}")
        sys.exit(1 if isinstance(error, PageNotFound) else 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(0)


def _postpone_numpy() -> None:
    """Let `import numpy` cost nothing until something of it is used: `--help` never does."""
    from importlib.util import find_spec

    if "numpy" in sys.modules:
        return
    postponed = ModuleType("numpy")
    postponed.__spec__ = find_spec("numpy")

    def load(name: str) -> Any:
        if sys.modules.get("numpy") is postponed:
            del sys.modules["numpy"]
        numpy = import_module("numpy")
        postponed.__dict__.update(numpy.__dict__)
        return getattr(numpy, name)

    postponed.__dict__["__getattr__"] = load
    sys.modules["numpy"] = postponed
