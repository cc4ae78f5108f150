"""Options from files: `related.toml` for the project, the user and the system.

A table in a file holds the options of one verb, with the same names as on the command line. Options
above the tables apply to every verb that has them. Precedence, highest first: the command line, the
environment (RELATED_VERB_OPTION), the project's file in the current folder, the user's file, the
system's file, the default.

The current folder may come from somebody else. Its file may therefore set a string option only if
we never write to the value (`ReadText` options), or if the value, read as a path, lies in the
folder and is not hidden. It never sets an option that changes the user's data (`ChangingOption`).
Verbs that listen or connect take only the options in PERMITTED from it, and Spark's verbs, which
run programs on other machines, take only the text options in SPARK_TEXT. A new option is restricted
until its type or one of these lists says otherwise.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from whatsrelated.cli.parameters import ChangingOption, DeclaredOption, ReadText
from whatsrelated.errors import OptionError, suggestion

FILE = "related.toml"
ENVIRONMENT = "RELATED"
GRAPH = ("generation", "graph", "verify")
PERMITTED: dict[str, tuple[str, ...]] = {
    "crawl": (
        *("bytes", "contact", "continue", "delay", "depth", "hosts", "hosts-as-urls", "keep"),
        *("least-parents", "memory", "merge-scheme", "minutes", "output", "page-bytes", "pages"),
        *("per-pattern", "sitemaps", "store", "strict", "temp", "text", "timeout", "tries"),
        *("urls", "warc", "within", "www"),
    ),
    "doctor": (*GRAPH, "json"),
    "mcp": (*GRAPH, "http", "port"),
    "serve": (
        *(*GRAPH, "access-log", "answers", "body", "browse", "busy-parents", "cache"),
        *("connections", "deadline", "log-queries", "memory", "pairs", "patience", "port", "queue"),
        *("rate", "root-path", "stop", "threads", "watch", "workers"),
    ),
    "study": (
        *(*GRAPH, "by", "depth", "export", "into", "json", "judges", "own", "port", "queries"),
        *("run", "second-grade", "seed"),
    ),
    "token": (),
}
"""All that a project's file may set for verbs that let others in or choose hosts to connect to."""
SPARK_TEXT = (
    *("by", "criterion", "format", "graph", "known", "names-columns", "namespaces", "node-name"),
    *("order-file", "output", "predicate", "query", "report", "scratch", "table", "task-memory"),
    *("teleport", "where"),
)
"""The text options that a project's file may set for Spark's verbs.

The others could choose where code runs, or which code Java runs. Numbers, choices and text that is
only read do no harm.
"""
MAX_BYTES = 1 << 20
_SCHEME = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]+:")
"""The start of an address, such as `s3://bucket/file` or `vscode://file{path}`."""


class Setting(NamedTuple):
    """A value, and the file that sets it."""

    value: Any
    file: Path


Settings = dict[str, dict[str, Setting]]
"""Settings by verb and option; settings for every verb are under the empty string.

For a verb with subcommands, the key includes the subcommand: `spark build`.
"""


def files() -> Iterator[Path]:
    """Files that may set options, highest precedence first."""
    chosen = os.environ.get(f"{ENVIRONMENT}_CONFIG")
    if chosen is not None:
        if chosen:
            yield Path(chosen)
        return
    yield Path(FILE)
    if sys.platform == "win32":
        yield Path(click.get_app_dir("whatsrelated"), FILE)
        return
    home = os.environ.get("XDG_CONFIG_HOME", "")
    user = Path(home) if home.startswith("/") else Path("~/.config").expanduser()
    yield user / "whatsrelated" / FILE
    yield Path("/etc/whatsrelated", FILE)


def read(verbs: Iterable[str]) -> Settings:
    """The settings of all files, by verb; a file of higher precedence wins."""
    settings: Settings = {}
    verbs = list(verbs)
    for file in files():
        for verb, table in _read_file(file, verbs).items():
            for name, value in table.items():
                settings.setdefault(verb, {}).setdefault(name, Setting(value, file))
    return settings


def _read_file(file: Path, verbs: list[str]) -> dict[str, dict[str, Any]]:
    named = f"{ENVIRONMENT}_CONFIG" in os.environ
    try:
        if not named and file.exists() and not file.is_file():  # reading a pipe would block
            raise OptionError(f"{file} is not a regular file; remove it, or rename it.")
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        if named:
            raise OptionError(
                f"{file}, named by $RELATED_CONFIG, cannot be read; name another file, "
                "or set it to the empty string for none."
            ) from None
        return {}
    if len(data) > MAX_BYTES:
        raise OptionError(f"{file} has more than {MAX_BYTES:,} bytes, the maximum.")
    try:
        tables = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise OptionError(f"{file} is not valid TOML: {error}.") from None
    return _by_verb(file, tables, verbs)


def _by_verb(file: Path, tables: dict[str, Any], verbs: list[str]) -> dict[str, dict[str, Any]]:
    by_verb: dict[str, dict[str, Any]] = {"": {}}
    for key, value in tables.items():
        if not isinstance(value, dict):
            by_verb[""][key] = value
        elif key in verbs:
            by_verb[key] = {name: one for name, one in value.items() if not isinstance(one, dict)}
            for name, table in value.items():
                if isinstance(table, dict):
                    by_verb[f"{key} {name}"] = table
        else:
            raise OptionError(f"{file}: [{key:.80}] is not a verb of related{nearest(key, verbs)}")
    return by_verb


def nearest(word: str, words: Iterable[str]) -> str:
    """The end of an error message: a suggestion for a misspelt word."""
    meant = suggestion(word, words)
    return f"; {meant}" if meant else "."


def options_of(command: click.Command) -> dict[str, click.Option]:
    """The options of a verb that a file may set, by their names in the file."""
    return {
        spelling(option): option
        for option in command.params
        if isinstance(option, click.Option) and not option.is_eager
    }


def commands_of(command: click.Command) -> dict[str, click.Command]:
    """The subcommands of a verb."""
    return dict(command.commands) if isinstance(command, click.Group) else {}


def spelling(option: click.Option) -> str:
    """An option's name in a file: its long form without the dashes."""
    return max(option.opts, key=len).lstrip("-")


def former_options(command: click.Command) -> dict[str, tuple[click.Option, Mapping[Any, Any]]]:
    """A verb's options by their former names, and what former values mean now."""
    return {
        former.replace("_", "-"): (option, meanings)
        for option in command.params
        if isinstance(option, DeclaredOption)
        for former, meanings in option.formerly.items()
    }


def defaults(verb: str, command: click.Command, settings: Settings) -> dict[str, Any]:
    """The settings from files for one verb, by click's parameter names."""
    below = commands_of(command)
    for name, table in settings.items():
        if name.startswith(f"{verb} ") and name.removeprefix(f"{verb} ") not in below:
            file = next((setting.file for setting in table.values()), FILE)
            raise OptionError(f"{file}: {verb} has no table {name.removeprefix(f'{verb} '):.80}.")
    chosen: dict[str, Any] = {
        name: defaults(f"{verb} {name}", one, settings) for name, one in below.items()
    }
    return chosen | {
        name: setting.value for name, setting in settings_of(verb, command, settings).items()
    }


def settings_of(verb: str, command: click.Command, settings: Settings) -> dict[str, Setting]:
    """A verb's checked settings, each with its file; the highest precedence wins."""
    options, former = options_of(command), former_options(command)
    chosen: dict[str, Setting] = {}
    for table in (settings.get(verb, {}), settings.get("", {})):
        for name, setting in table.items():
            option, meanings = former.get(name, (options.get(name), {}))
            if option is None and table is settings.get(verb):
                raise OptionError(
                    f"{setting.file}: {verb} has no option {name:.80}{nearest(name, options)}"
                )
            if option is not None and option.name not in chosen:
                value = setting.value
                value = meanings.get(value, value) if isinstance(value, Hashable) else value
                chosen[str(option.name)] = _checked(verb, option, Setting(value, setting.file))
    return chosen


def refuse_unknown(settings: Settings, commands: Iterable[click.Command]) -> None:
    """Reject a setting for every verb if none of `commands` has that option."""
    unknown = dict(settings.get("", {}))
    known: set[str] = set()
    for command in commands:
        if not unknown:
            return
        options, former = options_of(command), former_options(command)
        known.update(options)
        unknown = {n: one for n, one in unknown.items() if n not in options and n not in former}
    for name, setting in unknown.items():
        raise OptionError(f"{setting.file}: no verb has an option {name:.80}{nearest(name, known)}")


def _checked(verb: str, option: click.Option, setting: Setting) -> Setting:
    value, file = setting
    name = spelling(option)
    where = f"{file}: {verb}.{name}"
    if isinstance(value, dict):
        raise OptionError(f"{where} must be a value, got a table.")
    if isinstance(value, list) is not option.multiple:
        needed = "a list, in brackets" if option.multiple else "one value, not a list"
        raise OptionError(f"{where} must be {needed}; got {value!r:.80}.")
    if isinstance(value, bool) is not option.is_flag:
        needed = "true or false" if option.is_flag else "a number or a string"
        raise OptionError(f"{where} must be {needed}, got {value!r:.80}.")
    if file == Path(FILE):
        _refuse_foreign(where, verb, name, option, value)
    return setting


def _refuse_foreign(where: str, verb: str, name: str, option: click.Option, value: Any) -> None:
    """Reject settings that a project's file may not make, since the folder may be somebody
    else's."""
    if isinstance(option, ChangingOption):
        raise OptionError(
            f"{where} would change or delete data, so a project's file may not set it; "
            f"use --{name}."
        )
    if not _is_permitted(verb, name, option, value):
        raise OptionError(
            f"{where} could let others in, choose a host to connect to or run a program, so a "
            f"project's file may not set it; use --{name}, or set it in {list(files())[1]}."
        )
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and not _is_read(option) and not _is_visible_here(text):
            raise OptionError(
                f"{where} is {text!r:.200}, which is outside the folder of {FILE}, hidden or an "
                f"address; use --{name} instead."
            )


def _is_permitted(verb: str, name: str, option: click.Option, value: Any) -> bool:
    """Whether a project's file may set an option at all, inside or outside its folder."""
    if verb in PERMITTED:
        return name in PERMITTED[verb]
    is_harmless = isinstance(value, bool | int | float) or isinstance(option.type, click.Choice)
    return not verb.startswith("spark ") or is_harmless or _is_read(option) or name in SPARK_TEXT


def _is_read(option: click.Option) -> bool:
    """Whether an option's type guarantees that nothing is written to the path in its value."""
    kind = option.type
    return isinstance(kind, ReadText) or (isinstance(kind, click.File) and kind.mode == "r")


def _is_visible_here(text: str) -> bool:
    """Whether a value, read as a path, lies in the current folder and is not hidden or an address.

    Hidden files such as `.git/config` and `.venv/bin/activate` are the user's own, even if
    somebody else made the folder.
    """
    current = Path.cwd().resolve()
    if text.startswith("~") or "\0" in text or _SCHEME.match(text):
        return False
    place = (current / text).resolve()
    return place.is_relative_to(current) and not any(
        part.startswith(".") for part in place.relative_to(current).parts
    )


def environment_names(verb: str, option: click.Option) -> list[str]:
    """Environment variables that set an option: its current name, then its former names."""
    if isinstance(option.envvar, str):
        return [option.envvar]
    names = [option.name, *(option.formerly if isinstance(option, DeclaredOption) else ())]
    return [re.sub(r"[- ]", "_", f"{ENVIRONMENT}_{verb}_{name}".upper()) for name in names]
