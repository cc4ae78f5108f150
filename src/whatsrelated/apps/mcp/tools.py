"""Tools for agents: each is one query of the graph, answered with a few lines of text.

Agents see the docstrings and parameters of these functions, and read all of them before
the first call, so they are short.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

from whatsrelated.api.asking import DEFAULT_METHOD, PageSearch, outline
from whatsrelated.apps.gaps.audit import gaps_of
from whatsrelated.apps.mcp.replies import line, page_line, reply
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.options import configure

if TYPE_CHECKING:
    from whatsrelated import Answer
    from whatsrelated.api import Graph

MOST = 50
"""Maximum number of pages per answer."""
MOST_RANKED = 1000
"""How far down an answer to look for the page that `why` explains."""
SECONDS = 20.0
"""Time limit of a query."""
FEWER = "use a smaller limit."
MORE = "use skip for the rest."


MOST_LETTERS = 1_000
"""Maximum length of a search: a few words, not a page."""


class Tools:
    """Queries of a graph; `graph` returns the current one."""

    def __init__(self, graph: Callable[[], Graph]) -> None:
        self._graph = graph

    def related(
        self,
        pages: str | list[str],
        limit: int = 10,
        by: str = DEFAULT_METHOD,
        new: bool = False,
        other_site: bool = False,
    ) -> str:
        """Pages related to a page, or to several together, from links alone, with reasons.

        pages: URLs, names, titles or file paths. limit: 1-50. by: method (blend, companion,
        cocitation, lli, walk …). new: only pages it does not link to yet. other_site: only
        pages on other sites.
        """
        answer = self._graph().related(
            pages,
            by=by,
            limit=_limit("related", limit),
            new=new,
            other_site=other_site,
            deadline=time.monotonic() + SECONDS,
        )
        return reply(_results(answer), FEWER)

    def why(self, page: str, result: str, by: str = DEFAULT_METHOD) -> str:
        """Why one page is related to another: its position, the reasons and the evidence."""
        graph = self._graph()
        wanted = graph.url(graph.page(result))
        answer = graph.related(page, by=by, limit=MOST_RANKED, deadline=time.monotonic() + SECONDS)
        for place, each in enumerate(answer, 1):
            if each.url == wanted:
                head = (
                    f"{page_line(each.url, each.title)} is number {place} of {len(answer)} by {by}."
                )
                reasons = [line(each.evidence["sentence"])]
                return reply([head, *reasons, *map(_indented, outline(each.evidence))], FEWER)
        raise PageNotFound(
            f"{wanted} is not among the {len(answer):,} pages related to {page} by {by}; "
            "try another method, or use links to see what they share."
        )

    def links(
        self,
        page: str,
        way: Literal["in", "out", "both"] = "both",
        limit: int = 20,
        skip: int = 0,
    ) -> str:
        """Pages that link to a page (in, most linked first) and pages it links to (out, in order).

        limit: 1-50 per direction.
        """
        graph = self._graph()
        number = graph.page(page)
        most, first = _limit("links", limit), _skip("links", skip)
        lines = [f"{page_line(graph.url(number), graph.title(number))}:"]
        for name, pages in (("in", graph.links_to(number)), ("out", graph.links_from(number))):
            if way in (name, "both"):
                shown = pages[first : first + most].tolist()
                verb = "link to it" if name == "in" else "are linked from it"
                lines.append(f"{len(pages):,} pages {verb}{_part(shown, first, len(pages))}:")
                lines += [page_line(graph.url(each), graph.title(each)) for each in shown]
        return reply(lines, MORE)

    def find_pages(self, words: str, limit: int = 10, skip: int = 0) -> str:
        """Pages whose URL or title has all these words, the most linked first. limit: 1-50."""
        graph = self._graph()
        first = _skip("find_pages", skip)
        most = _limit("find_pages", limit)
        if len(words) > MOST_LETTERS:
            raise OptionError(
                f"find_pages: words may have at most {MOST_LETTERS:,} letters, got {len(words):,}."
            )
        search = configure(PageSearch, {"words": words, "limit": most, "skip": first})
        pages, total = search.run(graph.store)
        if not total:
            raise PageNotFound(
                f"No page has all of the words {words!r:.200}; try fewer or other words."
            )
        head = f"{total:,} pages{_part(pages, first, total)}:"
        return reply(
            [head, *(page_line(graph.url(each), graph.title(each)) for each in pages)], MORE
        )

    def gaps(self, limit: int = 10, pages: str = "") -> str:
        """Problems of the whole site: missing links with reasons, pages that nothing links to.

        limit: 1-50 of each kind. pages: only links missing on these; a glob or part of a name.
        """
        most = _limit("gaps", limit)
        found = gaps_of(
            self._graph(), top=most, sources=pages or None, deadline=time.monotonic() + SECONDS
        )
        lines = [f"{found.pages:,} pages, {found.links:,} links.", *map(line, found.notes)]
        lines += [
            f"Missing link: {page_line(each.source, each.source_title)} -> "
            f"{page_line(each.target, each.target_title)}: {line(each.reason)}"
            for each in found.missing
        ]
        for kind, listed in (
            ("Pages that no page links to", found.orphans),
            ("Pages without outgoing links", found.dead_ends),
        ):
            lines.append(f"{kind}: {len(listed):,}")
            lines += [page_line(each.url, each.title) for each in listed[:most]]
        lines.append(f"Broken links: {found.count('broken')}")
        lines += [f"{line(each.page)} -> {line(each.link)}" for each in found.broken[:most]]
        return reply(lines, FEWER)

    def compare(self, page: str, by: list[str], limit: int = 10) -> str:
        """Where several methods rank the pages related to a page, and how well the methods agree.

        by: two to six methods. limit: 1-50 per method.
        """
        if not 2 <= len(by) <= 6:
            raise OptionError(f"compare: by must name two to six methods, got {len(by)}.")
        comparison = self._graph().compare(
            page, by, limit=_limit("compare", limit), deadline=time.monotonic() + SECONDS
        )
        agreement = comparison.agreement()
        lines = [
            f"{one} and {two} agree: {value:.2f} of 1"
            for i, one in enumerate(by)
            for j, two in enumerate(by[:i])
            if (value := agreement[i][j]) is not None
        ]
        for row in comparison.rows():
            places = [
                f"{name} {place}" for name, place in zip(by, row.places, strict=True) if place
            ]
            lines.append(f"{page_line(row.url, row.title)}: {', '.join(places)}")
        return reply(lines, FEWER)


TOOLS = (Tools.related, Tools.why, Tools.links, Tools.find_pages, Tools.gaps, Tools.compare)


def _results(answer: Answer) -> Iterator[str]:
    yield from map(line, answer.notes)
    names = ", ".join(map(line, answer.answered_for))
    yield f"{len(answer)} pages related to {names}, by {answer.by.name}:"
    for place, each in enumerate(answer, 1):
        yield f"{place}. {page_line(each.url, each.title)}: {line(each.evidence['sentence'])}"


def _indented(text: str) -> str:
    return text[: len(text) - len(text.lstrip())] + line(text)


def _part(shown: list[int], first: int, total: int) -> str:
    """Which of them follow, if not all do."""
    whole = len(shown) == total
    return "" if whole else f", {first + 1:,} to {first + len(shown):,} of them"


def _limit(tool: str, limit: int) -> int:
    if not 1 <= limit <= MOST:
        raise OptionError(f"{tool}: limit must be between 1 and {MOST}, got {limit}.")
    return limit


def _skip(tool: str, skip: int) -> int:
    if skip < 0:
        raise OptionError(f"{tool}: skip must be at least 0, got {skip}.")
    return skip
