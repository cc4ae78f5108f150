"""Help of a command with `--by`: options in groups, with the chosen method's at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from whatsrelated.cli.parameters import DeclaredOption, option_help
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options
from whatsrelated.query.filters import Filters

METHOD = "whatsrelated.method"
"""The key of the chosen method in click's context."""

Records = list[tuple[str, str]]


class MethodCommand(click.Command):
    """A command with `--by`, whose help lists only the chosen method's options."""

    def __init__(self, *words: Any, examples: Mapping[str, str], **more: Any) -> None:
        super().__init__(*words, **more)
        self.examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note the method first, because `--help` takes effect before `--by` is parsed."""
        given = self.make_parser(ctx).parse_args(list(args))[0].get("by")
        ctx.meta[METHOD] = given or ctx.lookup_default("by")
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        default = next(one.default for one in self.params if one.name == "by")
        name = ctx.meta.get(METHOD)
        method = METHODS[name if isinstance(name, str) else str(default)]
        every_method = set(METHODS.values())
        asked: Records = []
        filters: Records = []
        own: Records = []
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is None or not isinstance(option, click.Option):
                continue
            if not isinstance(option, DeclaredOption):
                asked.append(record)
            elif option.name in declared_options(Filters):
                filters.append(record)
            elif not every_method.issuperset(option.owners):
                asked.append(record)
            elif method in option.owners:
                declared = declared_options(method)[str(option.name)]
                own.append((record[0], option_help({"": declared})))
        groups = {
            "Query": asked,
            "Filters": filters,
            f"Options of {method.name}": own,
        }
        for title, records in {"Examples": list(self.examples.items()), **groups}.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        formatter.write_paragraph()
        formatter.write_text("Use --by METHOD --help for the options of another method.")
