"""Writes the tables of the docs from what the code declares: `make docs`.

A page says `<!-- options of cocitation -->`, and the table follows up to
`<!-- end -->`.  Options are those of a method by its name, of a rank (`rank hits`),
of a verb (`related to`), of a reader (`format rows`), or what all questions share
(`every method`, `every build`).  `<!-- errors -->` and `<!-- routes -->` are the
tables of errors and of the server's paths.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import click

from whatsrelated import cli, errors, export, methods, ranks, sources
from whatsrelated.names.naming import Naming
from whatsrelated.options import Option, declared_options
from whatsrelated.query.request import Request
from whatsrelated.server import routes, static
from whatsrelated.server.route import Route

TOP = Path(__file__).parent.parent
MARKED = re.compile(r"(<!-- (options of [\w -]+|errors|routes) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """Every Markdown page of the project."""
    return sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md")])


def owners() -> dict[str, type]:
    """Everything that declares options, by name."""
    shared = {"every method": Request, "every build": Naming}
    named = {f"rank {name}": rank for name, rank in ranks_by_name().items()}
    return {**shared, **methods_by_name(), **named, **sources_by_name(), **exports_by_name()}


def methods_by_name() -> dict[str, type]:
    return {name: methods.method_named(name) for name in methods.METHODS}


def ranks_by_name() -> dict[str, type]:
    return {name: ranks.rank_named(name) for name in ranks.RANKS}


def routes_by_path() -> dict[str, Route]:
    """What the server answers, but for the files of its page."""
    return {path: route for path, route in routes.TABLE.items() if route.answer != static.file}


def sources_by_name() -> dict[str, type]:
    """The readers, and how a file of names is read; a format has its own name space."""
    named = {f"format {owner.name}": owner for owner in sources.readers()}
    return {**named, "a file of names": sources.NamesFile}


def exports_by_name() -> dict[str, type]:
    """The writers."""
    return {f"export {owner.name}": owner for owner in export.WRITERS.values()}


def verbs() -> dict[str, click.Command]:
    """The verbs of the command line, by name."""
    context = click.Context(cli.related)
    names = cli.related.list_commands(context)
    found = {name: cli.related.get_command(context, name) for name in names}
    return {name: command for name, command in found.items() if command is not None}


def tables() -> dict[str, str]:
    """Every table by its marker."""
    made = {f"options of {name}": _options(owner) for name, owner in owners().items()}
    made |= {f"options of related {name}": _flags(command) for name, command in verbs().items()}
    made["errors"] = _errors()
    made["routes"] = _routes()
    return made


def _options(owner: type) -> str:
    if not declared_options(owner):
        return "It has no options.\n"
    rows = ["| option | default | may be | meaning |", "|---|---|---|---|"]
    for name, told in declared_options(owner).items():
        symbol = f" ({told.symbol})" if told.symbol else ""
        default = "" if told.default is None else _as_typed(told.default)
        rows.append(f"| `{name}`{symbol} | {default} | {_bound(told)} | {told.sentence} |")
    return "\n".join(rows) + "\n"


def _bound(told: Option) -> str:
    return "text" if told.kind is str and not told.choices else told.bound()


def _as_typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _flags(command: click.Command) -> str:
    elsewhere = {name for owner in owners().values() for name in declared_options(owner)}
    rows = ["| option | meaning |", "|---|---|"]
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.name not in elsewhere:
            flags = ", ".join(f"`{flag}`" for flag in [*parameter.opts, *parameter.secondary_opts])
            meaning = (parameter.help or "").replace("|", "\\|")
            rows.append(f"| {flags} | {meaning} |")
    return "\n".join(rows) + "\n" if len(rows) > 2 else "It has no options.\n"


def errors_by_name() -> dict[str, type]:
    """The errors that the package raises on purpose."""
    return {
        name: error
        for name, error in vars(errors).items()
        if inspect.isclass(error) and issubclass(error, errors.RelatedError)
    }


def _errors() -> str:
    rows = ["| error | is also | when |", "|---|---|---|"]
    for name, error in errors_by_name().items():
        also = ", ".join(f"`{base.__name__}`" for base in error.__bases__)
        rows.append(f"| `{name}` | {also} | {inspect.getdoc(error)} |")
    return "\n".join(rows) + "\n"


def _routes() -> str:
    rows = ["| path | parameters | answer |", "|---|---|---|"]
    for path, route in routes_by_path().items():
        named = ", ".join(f"`{name}`" for name in route.options)
        rows.append(f"| `{path}` | {named} | {route.sentence} |")
    return "\n".join(rows) + "\n"


def renewed(text: str) -> str:
    """A page with its tables as the code has them now."""
    made = tables()

    def table(found: re.Match[str]) -> str:
        if found[2] not in made:
            sys.exit(f"No table {found[2]!r}; there are: {', '.join(made)}.")
        return f"{found[1]}{made[found[2]]}{found[3]}"

    return MARKED.sub(table, text)


if __name__ == "__main__":
    for page in pages():
        old = page.read_text(encoding="utf-8")
        new = renewed(old)
        if new != old:
            page.write_text(new, encoding="utf-8")
            print(f"Wrote {page.relative_to(TOP)}")
