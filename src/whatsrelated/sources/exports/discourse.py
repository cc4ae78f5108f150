"""Discourse's backup: the links between topics, in its database dump (`dump.sql`).

The dump has a section for each table, `COPY public.topics (id, title, …) FROM stdin;`, then one
row per line and `\\.` at the end. A topic is a page, named by its address. The forum's address is
found in the links between topics; if there are none, a topic is named by its path, such as
`/t/green-tea/12`. `topic_links` has one row per link. It repeats every link between topics in
reverse, as a *reflection*. Reflections are left out, and so are private messages, deleted topics
and uploaded files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.recognition import begins
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

LONGEST_ROW = 1 << 26
"""Maximum length of a row in bytes; posts may be long."""

_IS_DUMP = begins(rb"(?:--\s++)?+-- PostgreSQL database dump\b")
_OWN_TABLE = re.compile(
    rb"^(?:CREATE TABLE|COPY) public\."
    rb"(?:allowed_pm_users|badge_groupings|category_featured_topics|topic_links) ?\(",
    re.M,
)
_COPY = re.compile(r"COPY public\.(topics|topic_links) \(([^()]*+)\) FROM stdin;")
_ESCAPE = re.compile(r"\\(.)")
_PLAIN = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_TOPIC = re.compile(r"(https?://.+)/t/[^/]+/\d+(?:/\d+)?")

Row = dict[str, str]
"""The values of a row by column; empty for NULL."""


class DiscourseReader(Reader):
    """The topics of a Discourse forum."""

    name = "discourse"
    sentence = "the topics of a Discourse forum, in its backup (dump.sql)"
    is_site = True

    @classmethod
    def recognises(cls, file: File) -> bool:
        return _IS_DUMP(file) and _OWN_TABLE.search(file.sample) is not None

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        counts = context.counter(self.name)
        counts.update({"pages": 0, "links": 0})
        topics: dict[str, Row] = {}
        links: list[tuple[str, str, str]] = []
        base = ""
        for table, place, row in _rows(file):
            if row is None or not row.get("id", "").isdigit():
                context.refuse("a row that is cut short", place)
            elif table == "topics":
                topics[row["id"]] = row
            elif row.get("reflection") == "t":
                counts["reflections left out"] += 1
            elif row.get("internal") == "t" and row.get("extension"):
                counts["uploaded files left out"] += 1
            else:
                target, url = row.get("link_topic_id", ""), row.get("url", "")
                if target and not base and (forum := _TOPIC.fullmatch(url)) is not None:
                    base = forum[1]
                links.append((row.get("topic_id", ""), target, url))
        yield from _pages(topics, links, base, counts)


def _pages(
    topics: dict[str, Row], links: list[tuple[str, str, str]], base: str, counts: Counter[str]
) -> Iterator[Page]:
    """The topics that the forum shows, and their links."""
    names: dict[str, str] = {}
    for number, topic in topics.items():
        if topic.get("archetype", "regular") != "regular" or topic.get("deleted_at"):
            counts["private messages and deleted topics left out"] += 1
            continue
        names[number] = f"{base}/t/{topic.get('slug') or '-'}/{number}"
        counts["pages"] += 1
        yield Page(names[number], (), topic.get("title") or None)
    for source, number, url in links:
        target = names.get(number) if number else url
        if source in names and target:
            counts["links"] += 1
            yield Page(names[source], (target,))
        else:
            counts["links of private messages and deleted topics left out"] += 1


def _rows(file: File) -> Iterator[tuple[str, str, Row | None]]:
    """Each row of the two tables and its place; None if it has too few columns."""
    table, columns = "", list[str]()
    for number, line in file.numbered_lines(LONGEST_ROW):
        if not table:
            if line.startswith(b"COPY ") and (copy := _COPY.match(line.decode("utf-8", "replace"))):
                table, columns = copy[1], [name.strip(' "') for name in copy[2].split(",")]
        elif line.startswith(b"\\."):
            table = ""
        else:
            values = line.decode("utf-8", "replace").rstrip("\r").split("\t")
            whole = len(values) == len(columns) and len(line) <= LONGEST_ROW
            row = dict(zip(columns, map(_text, values), strict=True)) if whole else None
            yield table, file.place(number, line), row


def _text(value: str) -> str:
    """A value without its escapes; empty for NULL."""
    if "\\" not in value:
        return value
    return "" if value == "\\N" else _ESCAPE.sub(lambda one: _PLAIN.get(one[1], one[1]), value)
