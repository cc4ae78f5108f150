"""Writes the tables of the docs from the declarations in the code: `make docs`.

A page has a marker such as `<!-- options of cocitation -->`; the table follows, up to
`<!-- end -->`.  These markers exist:

- `options of NAME`: a method, a rank (`rank hits`), a writer (`export edges`), `a names
  file`, `site`, or what all share: `every method`, `every build`;
- `options of readers`: all formats in one table;
- `options of related VERB`: the options that no other table lists, and the names of those
  that it shares with other verbs;
- `options of several verbs`, `options of several ranks`: what at least three of them share;
- `formats`: the readers of files, with what they read; folders of notes have their own table;
- `errors`, `routes`, `methods`, and `comparing methods`, a sentence that names them.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
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
from whatsrelated.cli.config_files import commands_of
from whatsrelated.cli.parameters import DeclaredOption
from whatsrelated.options import Option, declared_options
from whatsrelated.query.request import DEFAULT_METHOD, Request
from whatsrelated.registry import Registry

TOP = Path(__file__).parent.parent
SHARED = {"every method": Request, "every build": BuildOptions}
SHARED_BY = 3
BASES = {"lli": "extended-cocitation", "peers": "coupling"}
"""Methods that start as another one does, whose table has the options of both."""
WITH_GRAPH = ("--generation", "--verify")
"""Options of every verb that has `--graph`, so only that one is listed."""
NOTES = "how-to/notes.md"
OPTION_HEAD = ["option", "default", "may be", "meaning"]
MARKED = re.compile(
    r"(<!-- (options of [\w -]+|formats|errors|routes|methods|comparing methods) -->\n)"
    r".*?(<!-- end -->)",
    re.DOTALL,
)


def pages() -> list[Path]:
    """Every Markdown page of the project."""
    return sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md")])


@cache
def owners() -> dict[str, type]:
    """Everything that declares options, by name."""
    shared = {**SHARED, "site": SiteOptions}
    named = {f"rank {name}": rank for name, rank in ranks_by_name().items()}
    return {**shared, **methods_by_name(), **named, **sources_by_name(), **exports_by_name()}


def methods_by_name() -> dict[str, type]:
    return _ours(methods.METHODS)


def ranks_by_name() -> dict[str, type]:
    return _ours(ranks.RANKS)


def _ours(registry: Registry[Any]) -> dict[str, type]:
    """The entries of this package in a registry, whatever else is installed."""
    return {name: registry[name] for name in registry.ours}


def routes_by_path() -> dict[str, Endpoint]:
    """The routes of the server, except the static files of its page."""
    return routes.TABLE


def sources_by_name() -> dict[str, type]:
    """The readers, and how a names file is read; a format has its own name space."""
    named = {f"format {name}": owner for name, owner in _ours(sources.READERS).items()}
    return {**named, "a names file": sources.NamesFile}


def exports_by_name() -> dict[str, type]:
    """The writers."""
    return {f"export {name}": owner for name, owner in _ours(export.WRITERS).items()}


def verbs() -> dict[str, click.Command]:
    """The verbs of the command line by name, including subcommands."""
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
    alone = {name: owner for name, owner in owners().items() if not name.startswith("format ")}
    made = {f"options of {name}": _options(name, owner) for name, owner in alone.items()}
    made["options of several ranks"] = _table(OPTION_HEAD, shared_by_ranks().values())
    made["options of readers"] = _reader_options()
    made["options of several verbs"] = _table(["option", "meaning"], shared_by_verbs().values())
    made |= {f"options of related {name}": _flags(command) for name, command in verbs().items()}
    made["formats"] = _formats()
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


def _options(name: str, owner: Any) -> str:
    """The options of one class, and the names of those that another table has."""
    rows = _rows(owner)
    elsewhere, link = [], ""
    if name in BASES:
        elsewhere, link = _rows(owners()[BASES[name]]), f"{BASES[name]}.md#options"
    elif name.startswith("rank "):
        elsewhere, link = list(shared_by_ranks().values()), "#options-of-several-ranks"
    listed = [row for row in rows if row not in elsewhere]
    also = ", ".join(row[0].partition(" ")[0] for row in rows if row in elsewhere)
    scored = getattr(owner, "scored", "")
    scale = f"{'Strength' if owner.percent else 'Score'}: {scored}.\n\n" if scored else ""
    if not also:
        return scale + _table(OPTION_HEAD, listed)
    table = f"{_table(OPTION_HEAD, listed)}\n" if listed else ""
    return f"{scale}{table}Also {also} ([{BASES.get(name, 'several ranks')}]({link})).\n"


def _rows(owner: Any) -> list[list[str]]:
    rows = []
    for name, option in declared_options(owner).items():
        symbol = f" ({option.symbol})" if option.symbol else ""
        default = "" if option.default in (None, ()) else _as_typed(option.default)
        rows.append([f"`{name}`{symbol}", default, _bound(option), _with_code(option.sentence)])
    return rows


def shared_by_ranks() -> dict[tuple[str, ...], list[str]]:
    """The rows of options that several ranks have."""
    return _shared(row for rank in ranks_by_name().values() for row in _rows(rank))


def _shared(rows: Iterable[list[str]]) -> dict[tuple[str, ...], list[str]]:
    counted = Counter(map(tuple, rows))
    return {row: list(row) for row, count in counted.items() if count >= SHARED_BY}


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A Markdown table, or a sentence if there is nothing to list."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return "It has no options.\n"
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines]) + "\n"


def _bound(option: Option) -> str:
    """What an option may be, unless its default or its name shows that."""
    if option.kind is bool and option.default is not None:
        return ""
    if option.kind is str and not option.choices:
        return ""
    bound = option.bound().removeprefix("one of ")
    bound = re.sub(r"at least (\S+) and at most (\S+)", r"\1 to \2", bound)
    return re.sub(r" or (?=\S+ or )", ", ", bound)


def _as_typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


TESTED_ON_REAL_FILES = (
    *("columns", "rows", "kleinberg", "gml", "graphml", "gexf", "pajek", "node-link"),
    *("matrixmarket", "bvgraph", "wikispeedia", "warc", "zim", "mediawiki", "mdn", "obsidian"),
    *("parquet", "sqlite", "npy"),
)
"""Formats whose tests read files that were published, or that another program wrote."""


def _formats() -> str:
    """One row per reader, in the order in which they are tried, but one for all kinds of notes."""
    rows = []
    readers = _ours(sources.READERS)
    for name, reader in readers.items():
        if reader.guide != NOTES:
            what = f"[{reader.sentence}](../{reader.guide})" if reader.guide else reader.sentence
            rows.append([f"`{name}`", what])
    kinds = ", ".join(f"`{name}`" for name, reader in readers.items() if reader.guide == NOTES)
    rows.append([kinds, f"[folders of notes and documentation](../{NOTES}#kinds-of-folders)"])
    *most, last = (f"`{name}`" for name, one in readers.items() if not one.ordered)
    unordered = f"The link order of {', '.join(most)} and {last} is unknown.\n"
    *most, last = (f"`{name}`" for name in readers if name in TESTED_ON_REAL_FILES)
    tested = (
        f"The tests of {', '.join(most)} and {last} read files that were published or that another "
        "program wrote. The test files of the other formats were made by hand.\n"
    )
    return f"{_table(['format', 'description'], rows)}\n{unordered}\n{tested}"


def _reader_options() -> str:
    """One row per option and meaning, with the formats that have it."""
    rows: dict[tuple[str, ...], dict[str, None]] = {}
    for name, reader in _ours(sources.READERS).items():
        for option_name, option in declared_options(reader).items():
            default = "" if option.default in (None, ()) else _as_typed(option.default)
            row = (f"`{option_name}`", default, _bound(option), _with_code(option.sentence))
            rows.setdefault(row, {})[getattr(reader, "family", "") or name] = None
    listed = ([row[0], ", ".join(formats), *row[1:]] for row, formats in sorted(rows.items()))
    return _table(["option", "formats", "default", "may be", "meaning"], listed)


def _flags(command: click.Command) -> str:
    """The options of one verb, and the names of those it shares."""
    rows = []
    names: dict[str, list[str]] = {name: [] for name in ("shared options", *SHARED)}
    for option in options_of(command):
        owning = owners_of(option)
        row = _flag_row(option)
        groups = [name for name in SHARED if name in owning]
        if not owning and tuple(row) in shared_by_verbs():
            groups = ["shared options"]
        elif not owning:
            rows.append(row)
        for group in groups:
            names[group].append(f"`{flag_of(option)}`")
    if "`--graph`" in names["shared options"]:
        implied = {f"`{flag}`" for flag in WITH_GRAPH}
        names["shared options"] = [one for one in names["shared options"] if one not in implied]
    every = {flag_of(option) for option in options_of(command)}
    also = "; ".join(filter(None, (_listed(*one, every) for one in names.items())))
    if not also:
        return _table(["option", "meaning"], rows)
    return (_table(["option", "meaning"], rows) + "\n" if rows else "") + f"Also {also}.\n"


def _listed(group: str, flags: list[str], every: set[str]) -> str:
    """The options of a group that a verb has or, if it has most of them, those it lacks.

    `every` has all options of the verb: some replace an option of the group by their own.
    """
    if not flags:
        return ""
    link = f"[{group}](#{group.replace(' ', '-')})"
    if group in SHARED:
        declared = [f"--{name.replace('_', '-')}" for name in declared_options(SHARED[group])]
        if len(flags) == len(declared):
            return ""
        lacking = [f"`{flag}`" for flag in declared if flag not in every]
        if len(lacking) < len(flags):
            return f"all options of {link}" + (f" except {', '.join(lacking)}" if lacking else "")
    return f"{', '.join(flags)} ({link})"


def _flag_row(option: click.Option) -> list[str]:
    flags = ", ".join(f"`{flag}`" for flag in [*option.opts, *option.secondary_opts])
    return [flags, _linked(_with_code(option.help or "").replace("|", "\\|"))]


def _linked(text: str) -> str:
    """A help text with a link to the methods or ranks in place of a list of them all."""
    for word, names, target in (
        ("method", methods_by_name(), "../index.md#methods"),
        ("rank", ranks_by_name(), "../explanation/ranks.md"),
    ):
        every = re.compile(rf":( one of)? {', '.join(map(re.escape, names))}")
        if every.search(text):
            text = re.sub(
                rf"{word}s?", rf"[\g<0>]({target})", every.sub("", text), count=1, flags=re.I
            )
    return text


def _with_code(text: str) -> str:
    """A help text with its options and patterns as code, or else Markdown changes `--` and `*`."""
    return re.sub(
        r"`[^`]*`|(?<![\w-])--[a-z][\w-]*|[^\s;,]*\*[^\s;,]*(?<![.)])",
        lambda found: f"`{found[0].strip('`')}`",
        text,
    )


@cache
def shared_by_verbs() -> dict[tuple[str, ...], list[str]]:
    """The rows of options that several verbs have and no class declares."""
    every = (o for command in verbs().values() for o in options_of(command) if not owners_of(o))
    return _shared(map(_flag_row, every))


def options_of(command: click.Command) -> list[click.Option]:
    """The options of a verb, in the order of the command, without `--help-all`."""
    params = (each for each in command.params if isinstance(each, click.Option))
    return [each for each in params if not each.is_eager]


def flag_of(option: click.Option) -> str:
    """The long form of an option."""
    return max(option.opts, key=len)


def owners_of(option: click.Option) -> list[str]:
    """The owners whose tables list an option, by their names in the markers.

    A class that inherits a declaration, as an update does from a build, has no table.
    """
    declaring = option.owners if isinstance(option, DeclaredOption) else ()
    declared = {declared_options(each)[option.name or ""].sentence for each in declaring}
    return [
        name
        for name, owner in owners().items()
        if owner in declaring or (name in SHARED and _declares(owner, option, declared))
    ]


def _declares(owner: type, option: click.Option, sentences: set[str]) -> bool:
    own = declared_options(owner).get(option.name or "")
    return own is not None and own.sentence in sentences


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
    first: dict[str, str] = {}
    for path, route in routes_by_path().items():
        parameters = route.parameters
        names = list({**parameters.of_path, **parameters.of_all})
        common = [name for name in declared_options(Request) if name in names]
        lacking = [f"`{name}`" for name in declared_options(Request) if name not in names]
        grouped = common if len(lacking) < len(common) else []
        named = [f"`{name}`" for name in names if name not in grouped]
        if grouped:
            but = f" except {', '.join(lacking)}" if lacking else ""
            named.append(f"[the options of every method](command-line.md#every-method){but}")
        listed = ", ".join(named)
        same = first.setdefault(listed, path) if "," in listed else path
        rows.append([f"`{path}`", listed if same == path else f"as `{same}`", route.sentence])
    return _table(["path", "parameters", "answer"], rows)


def renewed(text: str) -> str:
    """A page with its tables updated from the code."""
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
