"""`related completion`: scripts that complete verbs, options, methods and pages in a shell.

The shell's script passes us the line up to the cursor and gets the candidates for its last
word, one per line; none means that the shell should complete files.
"""

from __future__ import annotations

import shlex

import click
from click.shell_completion import ShellComplete

from whatsrelated.errors import RelatedError

BASH = r"""# Completion of related for bash: eval "$(related completion bash)"
_related() {
    local line="${COMP_LINE:0:COMP_POINT}" candidate cut
    COMPREPLY=()
    # Bash starts a new word after a colon.
    cut="${line##*[[:space:]\'\"]}"
    if [[ "$cut" == *[:=]* && "$COMP_WORDBREAKS" == *:* ]]; then
        cut="${cut%"${cut##*[:=]}"}"
    else
        cut=""
    fi
    while IFS= read -r candidate; do
        candidate="${candidate%%$'\t'*}"
        candidate="${candidate#"$cut"}"
        [[ "$line" == *[\'\"]* ]] || printf -v candidate %q "$candidate"
        COMPREPLY+=("$candidate")
    done < <("${1:-related}" completion --line "$line" 2> /dev/null)
}
complete -o nosort -o bashdefault -o default -F _related related
"""

ZSH = r"""#compdef related
# Completion of related for zsh: eval "$(related completion zsh)", or a file _related in $fpath
_related() {
    local -a found values shown
    local line="${(j: :)words[1,CURRENT]}" one
    found=("${(@f)$(related completion --line "$line" 2> /dev/null)}")
    found=(${found:#})
    if (( ! $#found )); then
        _files
        return
    fi
    for one in $found; do
        values+=("${one%%$'\t'*}")
        shown+=("${one/$'\t'/  -- }")
    done
    compadd -U -V related -l -d shown -a values
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _related "$@"
else
    compdef _related related
fi
"""

FISH = r"""# Completion of related for fish: related completion fish | source
function __related_complete
    set -l line (commandline -cp)
    set -l found (related completion --line "$line" 2> /dev/null)
    if test (count $found) -eq 0
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $found
    end
end
complete --command related --no-files --keep-order --arguments '(__related_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


@click.command(name="completion")
@click.argument("shell", type=click.Choice(list(SCRIPTS)), required=False)
@click.option("--line", metavar="TEXT", help="Print the completions of the last word of this line.")
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
        click.echo(SCRIPTS[shell], nl=False)
    return 0


def candidates(root: click.Command, line: str) -> list[str]:
    """The completions of the last word of a line, each with its help after a tab."""
    words, last = split(line)
    try:
        found = ShellComplete(root, {}, "related", "").get_completions(words[1:], last)
    except (click.ClickException, RelatedError, click.exceptions.Exit):
        return []
    return [
        f"{one.value}\t{one.help}" if one.help else str(one.value)
        for one in found
        if one.type == "plain"
    ]


def split(line: str) -> tuple[list[str], str]:
    """Split a line into complete words and the one being typed; a quote may still be open."""
    for end in ("", "'", '"'):
        try:
            words = shlex.split(f"{line}.{end}")
        except ValueError:
            continue
        return words[:-1], words[-1].removesuffix(".")
    return line.split()[:-1], ""
