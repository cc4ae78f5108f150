"""Lists of files, one path per line, such as Common Crawl's `warc.paths`.

A path is tried unchanged, then relative to the list, then by its file name alone in both places.
This lets a list of downloads serve as a list of the downloaded files. Missing files are counted; it
is an error if none of the files exists.
"""

from __future__ import annotations

from pathlib import Path

from whatsrelated.errors import ReadError
from whatsrelated.sources.files import File, no_file
from whatsrelated.stream import Refused


def files_in(path: str, refused: Refused) -> list[str]:
    """The existing files of a list; `-` is the standard input."""
    listing = File(path)
    if not listing.is_standard and not listing.path.is_file():
        raise no_file(path)
    beside = Path() if listing.is_standard else listing.path.parent
    lines = [
        line.decode("utf-8", "surrogateescape").strip() for _, line in listing.numbered_lines()
    ]
    named = [line for line in lines if line and not line.startswith("#")]
    existing = []
    for name in dict.fromkeys(named):
        place = _place(name, beside)
        if place is None:
            refused.add("listed files that are missing", name)
        else:
            existing.append(str(place))
    if not existing:
        first = f", the first is {named[0]!r:.200}" if named else ""
        raise ReadError(f"None of the {len(named):,} files listed in {listing.label} exist{first}.")
    return existing


def _place(name: str, beside: Path) -> Path | None:
    last = name.rpartition("/")[2]
    places = (Path(name), beside / name, Path(last), beside / last)
    return next((place for place in places if "\0" not in name and place.exists()), None)
