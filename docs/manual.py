"""Writes the manual page in `share/` from the verbs: `make docs`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import click

from docs.tables import TOP, verbs
from whatsrelated.cli import related
from whatsrelated.cli.config_files import commands_of
from whatsrelated.cli.verbs import summaries

PAGE = "share/man/man1/related.1"
ENDING = r"""
.SH EXIT STATUS
0 for success, 1 if a page or an answer was not found, 2 for wrong usage or bad input.
.SH ENVIRONMENT
.TP
.B RELATED_GRAPH
The graph to use if \-\-graph is not given.
.TP
.B RELATED_VERB_OPTION
An option of a verb, such as RELATED_TO_LIMIT=5.
.TP
.B RELATED_CONFIG
A file of options to read instead of those below; if it is empty, no file is read.
.TP
.B RELATED_TOKEN
The token that clients of a server must send.
.TP
.B NO_COLOR
If set, no text is bold or underlined.
.SH FILES
Files of options; the first that sets an option wins:
.I related.toml
in the current folder,
.IR ~/.config/whatsrelated/related.toml ,
.IR /etc/whatsrelated/related.toml .
"""


def manual() -> str:
    """The manual page of the command, with every verb and option."""
    lines = [
        '.TH RELATED 1 "" "whatsrelated" "User Commands"',
        ".SH NAME",
        r"related \- related pages from the link structure alone",
        ".SH SYNOPSIS",
        r".B related",
        r"\fIVERB\fR [\fIOPTIONS\fR] ...",
        ".SH DESCRIPTION",
        text(related.help),
        ".SH VERBS",
    ]
    for group, sentences in summaries().items():
        lines.append(f".SS {group}")
        for verb, sentence in sentences.items():
            lines += [".TP", rf"\fB{text(verb)}\fR", text(sentence)]
    for verb, command in verbs().items():
        lines += section(verb, command)
        for name, below in commands_of(command).items():
            lines += section(f"{verb} {name}", below)
    return "\n".join(lines) + ENDING


def section(verb: str, command: click.Command) -> Iterable[str]:
    """A verb, what it does, and its options."""
    context = click.Context(command, info_name=f"related {verb}", parent=None)
    yield f'.SH "RELATED {verb.upper()}"'
    yield rf"\fBrelated {text(verb)}\fR {text(' '.join(command.collect_usage_pieces(context)))}"
    yield ".PP"
    for paragraph in (command.help or "").partition("\f")[0].split("\n\n"):
        plain = paragraph.startswith("\b\n")
        body = text(paragraph.removeprefix("\b\n"))
        yield f".nf\n{body}\n.fi" if plain else body
        yield ".PP"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        listed = isinstance(parameter, click.Option) and "--help" not in parameter.opts
        if record is not None and listed:
            yield from (".TP", rf"\fB{text(record[0])}\fR", text(record[1]))


def text(plain: str | None) -> str:
    """Text escaped for troff, so no line is taken for a request."""
    escaped = (plain or "").strip().replace("\\", r"\e").replace("-", r"\-")
    ascii_only = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in escaped)
    return re.sub(r"^([.'])", r"\\&\1", ascii_only, flags=re.MULTILINE)


def main() -> None:
    file = Path(TOP, PAGE)
    if file.read_text(encoding="utf-8") != manual():
        file.write_text(manual(), encoding="utf-8")
        print(f"Wrote {PAGE}")


if __name__ == "__main__":
    main()
