"""`related completion`: scripts that complete verbs, options, methods and pages in a shell.

The shell's script passes the line up to the cursor and gets candidates for the last word, one per
line. If there are none, the shell completes file names.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import click
from click.shell_completion import ShellComplete

from whatsrelated.errors import RelatedError

SCRIPTS = {"bash": "related", "zsh": "_related", "fish": "related.fish"}
"""The completion script for each shell, named as installed; all are in the folder `shells`."""


@click.command(name="completion")
@click.argument("shell", type=click.Choice(list(SCRIPTS)), required=False)
@click.option("--line", metavar="TEXT", help="Print completions for the last word of this line.")
@click.pass_context
def command(ctx: click.Context, shell: str | None, line: str | None) -> int:
    """Print the script that lets SHELL complete verbs, options, methods and pages.

    \b
    bash   eval "$(related completion bash)"        in ~/.bashrc
    zsh    eval "$(related completion zsh)"         in ~/.zshrc, after compinit
    fish   related completion fish | source         in ~/.config/fish/config.fish
    """
    if line is not None:
        root = ctx.find_root().command
        click.echo("".join(f"{one}\n" for one in candidates(root, line)), nl=False)
    elif shell is None:
        raise click.UsageError(f"Missing argument SHELL: one of {', '.join(SCRIPTS)}.")
    else:
        script = Path(__file__).with_name("shells") / SCRIPTS[shell]
        click.echo(script.read_text(encoding="utf-8"), nl=False)
    return 0


def candidates(root: click.Command, line: str) -> list[str]:
    """Completions for the last word of a line, each followed by a tab and its help."""
    words, last = split(line)
    try:
        items = ShellComplete(root, {}, "related", "").get_completions(words[1:], last)
    except (click.ClickException, RelatedError, click.exceptions.Exit):
        return []
    return [
        f"{one.value}\t{one.help}" if one.help else str(one.value)
        for one in items
        if one.type == "plain"
    ]


def split(line: str) -> tuple[list[str], str]:
    """Split a line into complete words and the word being typed; a quote may still be open."""
    for end in ("", "'", '"'):
        try:
            words = shlex.split(f"{line}.{end}")
        except ValueError:
            continue
        return words[:-1], words[-1].removesuffix(".")
    return line.split()[:-1], ""
