"""Help for commands with many options: `--help` lists the common ones, `--help-all` every one.

An option that a class declares is common if the declaration says so (`common=True`); an option
of the verb itself is common unless it is a `RareOption`.  Help, completion and the manual page
list common options first.
"""

from __future__ import annotations

from typing import Any

import click

from whatsrelated.cli.parameters import DeclaredOption, RareOption

ALL = "whatsrelated.help_all"
"""The key in click's context that is set while --help-all is shown."""

Records = list[tuple[str, str]]


def is_rare(parameter: click.Parameter) -> bool:
    """Whether only `--help-all` lists an option."""
    if isinstance(parameter, DeclaredOption):
        return not parameter.common
    return isinstance(parameter, RareOption)


def _show_all(context: click.Context, option: click.Parameter, is_set: bool) -> None:
    if is_set and not context.resilient_parsing:
        context.meta[ALL] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


class LongCommand(click.Command):
    """A command whose `--help` leaves out rare options."""

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_all,
                help="Show every option and exit.",
            )
        )

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, rare options last."""
        return sorted(super().get_params(ctx), key=is_rare)

    def is_listed(self, ctx: click.Context, parameter: click.Parameter) -> bool:
        """Whether the requested help lists an option."""
        return ctx.meta.get(ALL, False) or not is_rare(parameter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        common: Records = []
        further: Records = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                (further if is_rare(parameter) else common).append(record)
        with formatter.section("Options"):
            formatter.write_dl(common)
        if ctx.meta.get(ALL):
            with formatter.section("Further options"):
                formatter.write_dl(further)
        else:
            self.write_ending(ctx, formatter, len(further))

    def write_ending(
        self, ctx: click.Context, formatter: click.HelpFormatter, left_out: int
    ) -> None:
        """Point to `--help-all` for the options left out."""
        if left_out:
            formatter.write_paragraph()
            formatter.write_text(f"{ctx.command_path} --help-all lists {left_out} more options.")
