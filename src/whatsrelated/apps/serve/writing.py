"""Change pages over HTTP, if the server was started with --writable.

    POST /api/pages      one page per line: {"url": …, "links": […], "title": …}
    DELETE /api/pages    ?url=…, as often as needed

Waiting requests are merged into the graph together, in order of arrival. The reply is sent once the
change is on disk and being served.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import msgspec

from whatsrelated.api.stores import Store
from whatsrelated.api.updating import update
from whatsrelated.contract.replies import Count, JSONReply
from whatsrelated.errors import OptionError, RelatedError
from whatsrelated.stream import Page, Refused

if TYPE_CHECKING:
    from whatsrelated.apps.serve.live import Live

MAX_DELETED = 1000
"""Maximum number of pages that one request may delete."""


class WrittenPage(msgspec.Struct, forbid_unknown_fields=True):
    """A page as a client sends it."""

    url: str
    links: list[str] = []
    title: str | None = None


class WriteReply(JSONReply, kw_only=True):
    """The graph after a change; the page counts refer to the request."""

    generation: Count
    pages: Count
    links: Count
    replaced: Count
    deleted: Count
    unknown: list[str]
    refused: dict[str, int]


@dataclass(eq=False, slots=True)
class Write:
    """One request, with its pages, its deletions and its result."""

    pages: list[Page] = field(default_factory=list)
    delete: list[str] = field(default_factory=list)
    reply: WriteReply | None = None
    error: RelatedError | None = None

    @property
    def is_done(self) -> bool:
        return self.reply is not None or self.error is not None


_decode = msgspec.json.Decoder(WrittenPage).decode


def read_pages(body: bytes) -> Write:
    """The pages in a body, one per line; an error names the line."""
    write = Write()
    for number, line in enumerate(body.splitlines(), 1):
        if not line.strip():
            continue
        try:
            sent = _decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise OptionError(
                f"pages: line {number} is not a valid page: {error!s:.200}."
            ) from None
        write.pages.append(Page(sent.url, sent.links, sent.title))
    if not write.pages:
        raise OptionError("pages: the body has no pages; send one JSON object per line.")
    return write


def read_deletions(query: bytes) -> Write:
    """The pages that a query string asks to delete."""
    fields = parse_qsl(query.decode("latin-1"), max_num_fields=MAX_DELETED)
    urls = [value for name, value in fields if name == "url" and value]
    if not urls or len(urls) != len(fields):
        raise OptionError("pages: DELETE takes url=, once for each page to delete.")
    return Write(delete=urls)


class GraphWriter:
    """Merges requests into the graph, together with all other waiting requests."""

    def __init__(self, live: Live, path: Path) -> None:
        self._live = live
        self._path = path
        self._waiting: list[Write] = []
        self._lock = threading.Lock()
        self._merging = threading.Lock()

    def merge(self, write: Write) -> WriteReply:
        """Merge a request into the graph, together with all others that are waiting."""
        with self._lock:
            self._waiting.append(write)
        with self._merging:
            if not write.is_done:
                with self._lock:
                    batch, self._waiting = self._waiting, []
                self._merge_all(batch)
        if write.error is not None:
            raise write.error
        assert write.reply is not None
        return write.reply

    def _merge_all(self, batch: list[Write]) -> None:
        """Merge requests together while they have no page in common; the last write wins."""
        while batch:
            names: set[str] = set()
            size = 0
            for write in batch:
                write_names = {*(page.url for page in write.pages), *write.delete}
                if size and names & write_names:
                    break
                names |= write_names
                size += 1
            together, batch = batch[:size], batch[size:]
            try:
                self._update(together)
            except RelatedError as error:
                for write in together:
                    write.error = error

    def _update(self, writes: list[Write]) -> None:
        refused = Refused()
        before = Store.open(self._path)
        deleted = [name for write in writes for name in write.delete]
        known = {name for name in deleted if before.look_up(name) is not None}
        graph = update(
            self._path,
            [page for write in writes for page in write.pages],
            delete=known,
            refused=refused,
            wait=True,
        )
        self._live.look()
        for write in writes:
            missed = [name for name in write.delete if name not in known]
            write.reply = WriteReply(
                generation=graph.store.generation or 0,
                pages=len(graph),
                links=graph.n_links,
                replaced=len(write.pages),
                deleted=len(write.delete) - len(missed),
                unknown=missed,
                refused=dict(refused.counts),
            )
