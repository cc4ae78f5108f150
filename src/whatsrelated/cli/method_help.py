"""Help for commands with `--by`: options are grouped, with those of the chosen method at the
end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from whatsrelated.cli.long_help import LongCommand, Records
from whatsrelated.cli.parameters import DeclaredOption, option_help
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options
from whatsrelated.query.filters import Filters

METHOD = "whatsrelated.method"
"""The key of the chosen method in click's context."""


class MethodCommand(LongCommand):
    """A command with `--by`, whose help lists only the chosen method's options."""

    def __init__(self, *words: Any, examples: Mapping[str, str], **more: Any) -> None:
        super().__init__(*words, **more)
        self.examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Record the method first, because `--help` takes effect before `--by` is parsed."""
        method = self.make_parser(ctx).parse_args(list(args))[0].get("by")
        ctx.meta[METHOD] = method or ctx.lookup_default("by")
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        default = next(one.default for one in self.params if one.name == "by")
        name = ctx.meta.get(METHOD)
        method = METHODS[name if isinstance(name, str) else str(default)]
        every_method = set(METHODS.values())
        query: Records = []
        filters: Records = []
        of_method: Records = []
        left_out = 0
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is None or not isinstance(option, click.Option):
                continue
            is_own = isinstance(option, DeclaredOption) and every_method.issuperset(option.owners)
            if not is_own and not self.is_listed(ctx, option):
                left_out += 1
            elif not isinstance(option, DeclaredOption):
                query.append(record)
            elif option.name in declared_options(Filters):
                filters.append(record)
            elif not is_own:
                query.append(record)
            elif method in option.owners:
                declared = declared_options(method)[str(option.name)]
                of_method.append((record[0], option_help({"": declared})))
        groups = {
            "Query": query,
            "Filters": filters,
            f"Options of {method.name}": of_method,
        }
        for title, records in {"Examples": list(self.examples.items()), **groups}.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        self.write_ending(ctx, formatter, left_out)
        formatter.write_paragraph()
        formatter.write_text("Use --by METHOD --help for the options of another method.")
