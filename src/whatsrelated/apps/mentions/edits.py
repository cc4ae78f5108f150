"""Write links into files, and undo those edits.

A file changes only if

1. it is a regular file inside the folder, not a link, and still has the bytes that were scanned;
2. the new text, read again, shows the same words and has the old links plus the new ones.

An edit that fails the second test is left out. Files are replaced atomically. `UNDO` in the folder
records every edit, so `undo` restores each file byte for byte, unless it has changed since.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whatsrelated.api.reading import read_html
from whatsrelated.apps.mentions.corpus import scan_text
from whatsrelated.apps.mentions.markdown_text import outline
from whatsrelated.errors import BuildError, ReadError
from whatsrelated.machine.files import read_small, replace_file

if TYPE_CHECKING:
    from whatsrelated.apps.mentions.corpus import Corpus, SourceText
    from whatsrelated.apps.mentions.linking import Edit

UNDO = ".related-links.json"
"""The file in the folder that records the edits."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """The edits of one file: its text before, its bytes after."""

    text: SourceText
    edits: list[Edit]
    old: bytes
    new: bytes


@dataclass(slots=True)
class Changes:
    """The files to change, and the edits that were left out, by reason."""

    files: list[FileChange] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def links(self) -> int:
        """The number of new links."""
        return sum(len(one.edits) for one in self.files)


def plan(corpus: Corpus, edits: Iterable[Edit]) -> Changes:
    """Check the edits and group them by file."""
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    texts = {text.path: text for text in corpus.texts}
    changes = Changes()
    for path, listed in sorted(by_path.items()):
        text = texts[path]
        kept = _without_overlaps(sorted(listed, key=lambda one: (one.start, one.end)))
        changes.left_out["overlapping links"] += len(listed) - len(kept)
        if not _is_sound(corpus, text, kept):
            sound: list[Edit] = []
            for edit in kept:
                if _is_sound(corpus, text, [*sound, edit]):
                    sound.append(edit)
            changes.left_out["links that would change other parts of the page"] += len(kept) - len(
                sound
            )
            kept = sound
        if kept:
            old = text.decoded.encode(text.decoded.text)
            new = text.decoded.encode(edited(text.decoded.text, kept))
            changes.files.append(FileChange(text, kept, old, new))
    return changes


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with these edits, which must be in order."""
    parts: list[str] = []
    place = 0
    for edit in edits:
        parts += text[place : edit.start], edit.new
        place = edit.end
    return "".join([*parts, text[place:]])


def _without_overlaps(edits: list[Edit]) -> list[Edit]:
    kept: list[Edit] = []
    for edit in edits:
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def _is_sound(corpus: Corpus, text: SourceText, edits: list[Edit]) -> bool:
    """Whether the edited text shows the same words, with only the new links added."""
    old = text.decoded.text
    new = edited(old, edits)
    try:
        text.decoded.encode(new)
    except UnicodeError:
        return False
    lines = [edit for edit in edits if edit.start == edit.end]
    folder = corpus.folder
    if folder.tree is None:
        before, after = (read_html(part, anchors=True, text=True) for part in (old, new))
        if " ".join(before.text.split()) != " ".join(after.text.split()):
            return False
        old_links, new_links = (
            Counter(zip(page.anchors, (href for href, _ in page.links), strict=True))
            for page in (before, after)
        )
        more = Counter(href for _, href in (new_links - old_links).elements())
        return not old_links - new_links and more == Counter(edit.href for edit in edits)
    scans = [scan_text(folder, text.path, part) for part in (old, new)]
    links = [[link.href for link in scan.links] for scan in scans]
    if len(links[1]) != len(links[0]) + len(edits) or Counter(links[0]) - Counter(links[1]):
        return False
    if folder.format in ("rst", "asciidoc", "org", "dokuwiki"):
        return True
    before_text, before_links = outline(old, folder.tree.wikilinks)
    after_text, after_links = outline(new, folder.tree.wikilinks)
    extra = Counter(after_links) - Counter(before_links)
    return (
        (bool(lines) or before_text == after_text)
        and extra.total() == len(edits)
        and not (Counter(before_links) - Counter(after_links))
    )


def apply(corpus: Corpus, changes: Changes) -> None:
    """Write the changes into the folder, and record how to undo them."""
    if not changes.files:
        return
    root = Path(corpus.folder.root)
    for change in changes.files:
        _checked(root, change.text.path, change.old)
    journal = _journal(root)
    journal.append([_record(change) for change in changes.files])
    _write_journal(root, journal)
    for change in changes.files:
        _write(_checked(root, change.text.path, change.old), change.new)


def undo(folder: str | Path) -> tuple[int, list[str]]:
    """Undo the last `apply`; return the number of restored files, and the files that have changed
    since.
    """
    root = Path(os.path.realpath(folder))
    journal = _journal(root)
    if not journal:
        raise ReadError(f"{folder} has nothing to undo: --apply has not been used there.")
    restored, changed, unrestored = 0, [], []
    for record in journal.pop():
        path = str(record["path"])
        old = _before(root, record)
        if old is None:
            changed.append(path)
            unrestored.append(record)
        elif old:
            _write(_inside(root, path), old)
            restored += 1
    if unrestored:
        journal.append(unrestored)
    _write_journal(root, journal)
    return restored, changed


def _record(change: FileChange) -> dict[str, Any]:
    """The edits of a file, with their byte positions in its new contents."""
    decoded, shift, places = change.text.decoded, 0, []
    text = decoded.text
    for edit in change.edits:
        start = len(decoded.encode(text[: edit.start])) + shift
        old, new = decoded.encode(text[edit.start : edit.end]), decoded.encode(edit.new)
        places.append([start, _as_text(new), _as_text(old)])
        shift += len(new) - len(old)
    return {
        "path": change.text.path,
        "before": hashlib.sha256(change.old).hexdigest(),
        "after": hashlib.sha256(change.new).hexdigest(),
        "edits": places,
    }


def _before(root: Path, record: dict[str, Any]) -> bytes | None:
    """A file's former contents; None if it has changed since, empty if it was never written."""
    try:
        data = read_small(_inside(root, str(record["path"])))
        digest = hashlib.sha256(data).hexdigest()
        if digest == record["before"]:
            return b""
        if digest != record["after"]:
            return None
        for start, new, old in reversed(record["edits"]):
            before, after = base64.b64decode(old), base64.b64decode(new)
            if data[start : start + len(after)] != after:
                return None
            data = data[:start] + before + data[start + len(after) :]
        return data if hashlib.sha256(data).hexdigest() == record["before"] else None
    except (OSError, KeyError, TypeError, ValueError, BuildError):
        return None


def _as_text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _inside(root: Path, path: str) -> Path:
    """A file of the folder that is not hidden; raises BuildError for anything else."""
    file = root / path
    if (
        Path(path).is_absolute()
        or any(part.startswith(".") for part in Path(path).parts)  # such as `..` and .git
        or file.is_symlink()
        or os.path.realpath(file) != str(file)
        or not file.is_file()
    ):
        raise BuildError(f"{file} is a link, hidden or outside the folder; it was not changed.")
    return file


def _checked(root: Path, path: str, old: bytes) -> Path:
    file = _inside(root, path)
    try:
        same = file.read_bytes() == old
    except OSError as error:
        raise BuildError(f"{file} cannot be read: {error.strerror}.") from None
    if not same:
        raise BuildError(f"{file} has changed since it was read; run the command again.")
    return file


def _write(file: Path, data: bytes) -> None:
    try:
        with replace_file(file) as out:
            out.write(data)
    except OSError as error:
        raise BuildError(f"{file} cannot be written: {error.strerror}.") from None


def _journal(root: Path) -> list[list[dict[str, Any]]]:
    path = root / UNDO
    if not path.exists() and not path.is_symlink():
        return []
    try:
        if path.is_symlink():
            raise ValueError
        runs = json.loads(read_small(path))["runs"]
        if not isinstance(runs, list) or not all(_is_run(run) for run in runs):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, RecursionError, BuildError):
        raise ReadError(f"{path} is not a record of links; remove it to continue.") from None
    return runs


def _is_run(run: Any) -> bool:
    """Whether this is the record of one `apply`: a list of entries with the paths of files."""
    return isinstance(run, list) and all(
        isinstance(record, dict) and isinstance(record.get("path"), str) for record in run
    )


def _write_journal(root: Path, runs: list[list[dict[str, Any]]]) -> None:
    path = root / UNDO
    if not runs:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        return
    _write(path, json.dumps({"version": 1, "runs": runs}, indent=1).encode() + b"\n")
