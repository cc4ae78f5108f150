"""A patch that grows by one accepted link at a time.

Its first lines name the accepted links; `git apply` ignores any text before the first diff. The
diff is written again for each new link, so links on neighbouring lines do not conflict.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.apps.mentions.actions import changes_of
from whatsrelated.apps.mentions.patch import patch
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.machine.files import read_small, write_file

if TYPE_CHECKING:
    from whatsrelated.apps.mentions.edits import Changes
    from whatsrelated.apps.mentions.finder import MentionFinder

HEAD = "Links accepted in related serve"
Pair = tuple[str, str]
"""The page with the mention, and the page to link to."""


def accepted_links(path: Path) -> list[Pair]:
    """The links of a patch, in the order in which they were accepted."""
    if not path.exists():
        return []
    head, *lines = read_small(path).decode("utf-8", "replace").split("\n")
    if head != HEAD:
        raise ReadError(f"{path} is not a patch of accepted links; name another file.")
    pairs: list[Pair] = []
    for line in lines:
        source, tab, target = line.partition("\t")
        if not tab or line.startswith("diff "):
            break
        pairs.append((source, target))
    return pairs


def accept(finder: MentionFinder, path: Path, pair: Pair) -> Changes:
    """Add a link to the patch, and return all its changes; a link without a place is an error."""
    pairs = [each for each in accepted_links(path) if each != pair]
    before = changes_of(finder, pairs)
    changes = changes_of(finder, [*pairs, pair])
    if changes.links <= before.links:
        raise OptionError(
            f"accept: {pair[0]:.200} has no words that can become a link to {pair[1]:.200}."
        )
    names = "".join(f"{source}\t{target}\n" for source, target in [*pairs, pair])
    write_file(path, f"{HEAD}\n{names}\n".encode() + patch(changes))
    return changes
