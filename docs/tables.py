"""Writes the tables of the docs from what the code declares: `make docs`.

A page says `<!-- options of cocitation -->`, and the table follows up to
`<!-- end -->`.  Options are those of a method by its name, of a rank (`rank hits`),
of a verb (`related to`), of a reader (`format rows`), or what all questions share
(`every method`, `every build`, `site`).  The table of a verb has all of its options but
those of owners that have a table of their own.  `<!-- errors -->` and
`<!-- routes -->` are the tables of errors and of the server's paths, `<!-- methods -->` and
`<!-- comparing methods -->` the list of methods and a sentence that names those that compare.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import click

from whatsrelated import cli, errors, methods, ranks, sources
from whatsrelated.api.building import BuildOptions
from whatsrelated.apps import export
from whatsrelated.apps.serve import routes
from whatsrelated.apps.serve.endpoint import Endpoint
from whatsrelated.apps.site.options import SiteOptions
from whatsrelated.cli.configuration import commands_of
from whatsrelated.cli.parameters import DeclaredOption
from whatsrelated.options import Option, declared_options
from whatsrelated.query.request import DEFAULT_METHOD, Request
from whatsrelated.registry import Registry

TOP = Path(__file__).parent.parent
MARKED = re.compile(
    r"(<!-- (options of [\w -]+|errors|routes|methods|comparing methods) -->\n).*?(<!-- end -->)",
    re.DOTALL,
)


def pages() -> list[Path]:
    """Every Markdown page of the project."""
    return sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md")])


@cache
def owners() -> dict[str, type]:
    """Everything that declares options, by name."""
    shared = {"every method": Request, "every build": BuildOptions, "site": SiteOptions}
    named = {f"rank {name}": rank for name, rank in ranks_by_name().items()}
    return {**shared, **methods_by_name(), **named, **sources_by_name(), **exports_by_name()}


def methods_by_name() -> dict[str, type]:
    return _ours(methods.METHODS)


def ranks_by_name() -> dict[str, type]:
    return _ours(ranks.RANKS)


def _ours(registry: Registry[Any]) -> dict[str, type]:
    """What this package has in a registry, whatever else is installed."""
    return {name: registry[name] for name in registry.ours}


def routes_by_path() -> dict[str, Endpoint]:
    """What the server answers, but for the files of its page."""
    return routes.TABLE


def sources_by_name() -> dict[str, type]:
    """The readers, and how a names file is read; a format has its own name space."""
    named = {f"format {name}": owner for name, owner in _ours(sources.READERS).items()}
    return {**named, "a names file": sources.NamesFile}


def exports_by_name() -> dict[str, type]:
    """The writers."""
    return {f"export {name}": owner for name, owner in _ours(export.WRITERS).items()}


def verbs() -> dict[str, click.Command]:
    """The verbs of the command line, by name; those that do several things with each of them."""
    context = click.Context(cli.related)
    found: dict[str, click.Command] = {}
    for name in cli.related.list_commands(context):
        command = cli.related.get_command(context, name)
        assert command is not None
        found[name] = command
        found |= {f"{name} {below}": one for below, one in commands_of(command).items()}
    return found


def tables() -> dict[str, str]:
    """Every table by its marker."""
    made = {f"options of {name}": _options(owner) for name, owner in owners().items()}
    made |= {f"options of related {name}": _flags(command) for name, command in verbs().items()}
    made["errors"] = _errors()
    made["routes"] = _routes()
    made["methods"] = _methods()
    made["comparing methods"] = _comparing()
    return made


def _methods() -> str:
    lines = []
    for name, method in methods_by_name().items():
        idea = (inspect.getdoc(method) or "").partition("\n")[0].removesuffix(".")
        default = ", the default" if name == DEFAULT_METHOD else ""
        target = f"explanation/methods/{name}.md"
        lines.append(f"- [{name}]({target}){default}: {idea[:1].lower()}{idea[1:]}\n")
    return "".join(sorted(lines, key=lambda line: ", the default" not in line))


def _comparing() -> str:
    names = [f"`{name}`" for name, method in methods_by_name().items() if method.compares]
    return f"Pages are compared by {', '.join(names[:-1])} and {names[-1]}.\n"


def _options(owner: Any) -> str:
    rows = []
    for name, option in declared_options(owner).items():
        symbol = f" ({option.symbol})" if option.symbol else ""
        default = "" if option.default in (None, ()) else _as_typed(option.default)
        rows.append([f"`{name}`{symbol}", default, _bound(option), option.sentence])
    scored = getattr(owner, "scored", "")
    told = f"A {'strength' if owner.percent else 'score'} is {scored}.\n\n" if scored else ""
    return told + _table(["option", "default", "may be", "meaning"], rows)


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A Markdown table; a sentence where there is nothing to list."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return "It has no options.\n"
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines]) + "\n"


def _bound(option: Option) -> str:
    return "text" if option.kind is str and not option.choices else option.bound()


def _as_typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _flags(command: click.Command) -> str:
    rows = []
    for option in options_of(command):
        if not owners_of(option):
            flags = ", ".join(f"`{flag}`" for flag in [*option.opts, *option.secondary_opts])
            rows.append([flags, (option.help or "").replace("|", "\\|")])
    return _table(["option", "meaning"], rows)


def options_of(command: click.Command) -> list[click.Option]:
    """The options of a verb, as the command has them."""
    return [each for each in command.params if isinstance(each, click.Option)]


def owners_of(option: click.Option) -> list[str]:
    """The owners of an option whose tables list it, by their names in the markers."""
    declaring = option.owners if isinstance(option, DeclaredOption) else ()
    return [name for name, owner in owners().items() if owner in declaring]


def errors_by_name() -> dict[str, type]:
    """The errors that the package raises on purpose."""
    return {
        name: error
        for name, error in vars(errors).items()
        if inspect.isclass(error) and issubclass(error, errors.RelatedError)
    }


def _errors() -> str:
    rows = []
    for name, error in errors_by_name().items():
        also = ", ".join(f"`{base.__name__}`" for base in error.__bases__)
        rows.append([f"`{name}`", also, inspect.getdoc(error) or ""])
    return _table(["error", "is also", "when"], rows)


def _routes() -> str:
    rows = []
    for path, route in routes_by_path().items():
        parameters = route.parameters
        named = [f"`{name}`" for name in {**parameters.of_path, **parameters.of_all}]
        if parameters.choice is not None:
            named.append(f"every option of the {parameters.choice.registry.kind}")
        rows.append([f"`{path}`", ", ".join(named), route.sentence])
    return _table(["path", "parameters", "answer"], rows)


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
