"""Tools for agents. Each tool queries the graph once and replies with a few lines of text.

Agents read the docstrings and parameters of all tools before the first call, so these are kept
short.  Each parameter is declared once, in its annotation, which provides both its schema and its
validation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from whatsrelated.api.asking import (
    DEFAULT_METHOD,
    MAX_WEIGHTED,
    PageSearch,
    PathRequest,
    Request,
    outline,
    read_weights,
)
from whatsrelated.apps.gaps.audit import gaps_of
from whatsrelated.apps.mcp.replies import excerpt, indented, line, page_line, part_shown, reply
from whatsrelated.apps.mentions.finder import MentionFinder, folder_of
from whatsrelated.apps.mentions.reports import message
from whatsrelated.apps.mentions.verb import mentions_of_page
from whatsrelated.apps.serve.openapi import schema_of
from whatsrelated.apps.serve.parameters import MAX_URLS, Parameter, Parameters, parameters_of
from whatsrelated.contract.strength import WEAK
from whatsrelated.errors import OptionError, OutOfTime, PageNotFound
from whatsrelated.methods import METHODS
from whatsrelated.options import Option, configure

if TYPE_CHECKING:
    from whatsrelated import Answer
    from whatsrelated.api import Graph
    from whatsrelated.apps.gaps.findings import Gaps

MAX_LIMIT = 50
"""Maximum number of pages per answer."""
MAX_RANKED = 1000
"""Number of results to search for the page that `why` explains."""
SECONDS = 20.0
"""Time limit of a query."""
MAX_SECONDS = 600
"""Maximum time limit that an agent may set for a long report."""
FEWER = "use a smaller limit."
MORE = "use skip for the rest."


def _page(sentence: str) -> Parameter:
    return Parameter(Option(None, sentence), pages=True, required=True)


def _pages(sentence: str) -> Parameter:
    return Parameter(Option(None, sentence), max_count=MAX_URLS, pages=True)


def _number(default: int | None, sentence: str, low: int, high: int | None) -> Parameter:
    return Parameter(Option(default, sentence, low=low, high=high, kind=int))


def _flag(sentence: str) -> Parameter:
    return Parameter(Option(False, sentence, kind=bool))


def _limit(default: int, sentence: str = "maximum number of pages") -> Parameter:
    return _number(default, sentence, 1, MAX_LIMIT)


PageArgument = Annotated[str, _page("URL, name, title or file path")]
MethodArgument = Annotated[
    str, Parameter(Option(DEFAULT_METHOD, "the method", choices=tuple(METHODS)))
]
StrengthArgument = Annotated[float | str, parameters_of(Request)["min_strength"]]
SkipArgument = Annotated[int, _number(0, "number of pages to skip", 0, None)]
SecondsArgument = Annotated[
    int | None, _number(None, "time limit, 20 if not given", 1, MAX_SECONDS)
]
SourcesArgument = Annotated[
    str, Parameter(Option("", "only links missing on these; a glob or part of a name"))
]


class Tools:
    """Queries of a graph; `graph` returns the current one."""

    def __init__(self, graph: Callable[[], Graph]) -> None:
        self._graph = graph
        self._known: tuple[Graph, MentionFinder] | None = None

    def related(
        self,
        pages: Annotated[
            str | list[str],
            Parameter(
                Option(None, "URLs, names, titles or file paths; PAGE:WEIGHT to weigh them"),
                max_count=MAX_WEIGHTED,
                pages=True,
                required=True,
            ),
        ],
        limit: Annotated[int, _limit(10)] = 10,
        by: MethodArgument = DEFAULT_METHOD,
        new: Annotated[bool, _flag("only pages it does not link to yet")] = False,
        other_site: Annotated[bool, _flag("only pages on other sites")] = False,
        min_strength: StrengthArgument = 0.0,
        unlike: Annotated[list[str] | None, _pages("pages to move away from")] = None,
        known: Annotated[
            list[str] | None, _pages("pages you have: not returned, but used as hints")
        ] = None,
    ) -> str:
        """Pages related to a page, or to several together, from links alone, with reasons."""
        graph = self._graph()
        answer = graph.related(
            read_weights(graph.store, [pages] if isinstance(pages, str) else pages),
            by=by,
            unlike=read_weights(graph.store, unlike or []),
            known=known,
            limit=limit,
            new=new,
            other_site=other_site,
            min_strength=min_strength,
            deadline=time.monotonic() + SECONDS,
        )
        return reply(_results(answer), FEWER)

    def why(
        self, page: PageArgument, result: PageArgument, by: MethodArgument = DEFAULT_METHOD
    ) -> str:
        """Why one page is related to another: its position, the reasons and the evidence."""
        graph = self._graph()
        target = graph.url(graph.page(result))
        answer = graph.related(page, by=by, limit=MAX_RANKED, deadline=time.monotonic() + SECONDS)
        for place, each in enumerate(answer, 1):
            if each.url == target:
                head = (
                    f"{page_line(each.url, each.title)} is ranked {place} of {len(answer)} by {by}."
                )
                reasons = [line(each.evidence["sentence"])]
                return reply([head, *reasons, *map(indented, outline(each.evidence))], FEWER)
        raise PageNotFound(
            f"{target} is not among the {len(answer):,} pages related to {page} by {by}; "
            "try another method, or use links to see what they share."
        )

    def links(
        self,
        page: PageArgument,
        way: Annotated[
            str, Parameter(Option("both", "which links", choices=("in", "out", "both")))
        ] = "both",
        limit: Annotated[int, _limit(20, "maximum number of pages per direction")] = 20,
        skip: SkipArgument = 0,
    ) -> str:
        """Pages that link to a page (in, most linked first) or that it links to (out, in order)."""
        graph = self._graph()
        number = graph.page(page)
        lines = [f"{page_line(graph.url(number), graph.title(number))}:"]
        for name, pages in (("in", graph.links_to(number)), ("out", graph.links_from(number))):
            if way in (name, "both"):
                shown = pages[skip : skip + limit].tolist()
                verb = "link to it" if name == "in" else "are linked from it"
                lines.append(f"{len(pages):,} pages {verb}{part_shown(shown, skip, len(pages))}:")
                lines += [page_line(graph.url(each), graph.title(each)) for each in shown]
        return reply(lines, MORE)

    def path(
        self,
        start: PageArgument,
        end: PageArgument,
        way: Annotated[str, parameters_of(PathRequest)["way"]] = "either",
        limit: Annotated[int, _limit(5, "maximum number of chains")] = 5,
    ) -> str:
        """The shortest chains of links between two pages, rare links first."""
        paths = self._graph().path(
            start, end, way=way, limit=limit, deadline=time.monotonic() + SECONDS
        )
        (path,) = paths
        lines = [*map(line, paths.notes), line(paths.sentence(path))]
        for place, chain in enumerate(path.chains if path.length else (), 1):
            lines += [f"{place}. {line(' '.join(paths.steps(chain)))}"]
            lines += [f"   {page_line(url, None)}" for url in map(paths.store.url, chain.pages)]
        return reply(lines, FEWER)

    def find_pages(
        self,
        words: Annotated[str, Parameter(Option("", "the words"), required=True)],
        limit: Annotated[int, _limit(10)] = 10,
        skip: SkipArgument = 0,
    ) -> str:
        """Pages whose URL or title has all these words, the most linked first."""
        graph = self._graph()
        search = configure(PageSearch, {"words": words, "limit": limit, "skip": skip})
        pages, total = search.run(graph.store)
        if not total:
            raise PageNotFound(
                f"No page has all of the words {words!r:.200}; try fewer or other words."
            )
        head = f"{total:,} pages{part_shown(pages, skip, total)}:"
        return reply(
            [head, *(page_line(graph.url(each), graph.title(each)) for each in pages)], MORE
        )

    def gaps(
        self,
        limit: Annotated[int, _limit(10, "maximum number of each kind")] = 10,
        pages: SourcesArgument = "",
        seconds: SecondsArgument = None,
    ) -> str:
        """Problems of the whole site: missing links with reasons, pages that nothing links to."""
        report = self._report("gaps", limit, pages, seconds)
        lines = [f"{report.pages:,} pages, {report.links:,} links.", *map(line, report.notes)]
        lines += [
            f"Missing link: {page_line(each.source, each.source_title)} -> "
            f"{page_line(each.target, each.target_title)}: {line(each.reason)}"
            for each in report.missing
        ]
        for kind, listed in (
            ("Pages that no page links to", report.orphans),
            ("Pages without outgoing links", report.dead_ends),
        ):
            lines.append(f"{kind}: {len(listed):,}")
            lines += [page_line(each.url, each.title) for each in listed[:limit]]
        lines.append(f"Broken links: {report.count('broken')}")
        lines += [f"{line(each.page)} -> {line(each.link)}" for each in report.broken[:limit]]
        return reply(lines, FEWER)

    def missing_links(
        self,
        limit: Annotated[int, _limit(10, "maximum number of links")] = 10,
        pages: SourcesArgument = "",
        seconds: SecondsArgument = None,
    ) -> str:
        """Links to add to the files of a site: file, line, column, the words, their sentence."""
        report = self._report("missing_links", limit, pages, seconds, places=True)
        lines = [f"{len(report.missing):,} missing links:"]
        for each in report.missing:
            place = each.place
            where = f"{place.file}:{place.line}:{place.column}" if place else each.source
            lines.append(line(f"{where}: {message(each)}"))
            if place is not None and place.anchor:
                lines.append(excerpt(place.before, place.anchor, place.after))
        return reply(lines, FEWER)

    def mentions(
        self,
        page: PageArgument,
        limit: Annotated[int, _limit(10, "maximum number of mentions per direction")] = 10,
        seconds: SecondsArgument = None,
    ) -> str:
        """Where a page of a folder is mentioned but not linked, and what it mentions itself."""
        number = self._graph().page(page)
        with _time_limit("mentions", seconds):
            ways = mentions_of_page(self._finder(), number, limit)
        lines = []
        for way, head in (("incoming", "Mentions of it"), ("outgoing", "Mentioned on it")):
            lines.append(f"{head}: {len(ways[way]):,}")
            for each in ways[way]:
                target = page_line(each["target"], each["target_title"])
                where = f"{each['file']}:{each['line']}:{each['column']}"
                lines.append(line(f"{where}: link to {target}, score {each['score']:.2f}"))
                lines.append(excerpt(each["before"], each["anchor"], each["after"]))
        return reply(lines, FEWER)

    def _report(
        self, tool: str, limit: int, pages: str, seconds: int | None, places: bool = False
    ) -> Gaps:
        """The gaps of the graph, found within the time limit."""
        deadline = time.monotonic() + _limit_of(seconds)
        with _time_limit(tool, seconds):
            finder = self._finder() if places else None
            return gaps_of(
                self._graph(), top=limit, sources=pages or None, deadline=deadline, places=finder
            )

    def _finder(self) -> MentionFinder:
        """The finder for the current graph; it is kept, because it reads every page."""
        graph = self._graph()
        if self._known is None or self._known[0] is not graph:
            finder = MentionFinder(graph.store, folder_of(graph.store))
            self._known = graph, finder
        return self._known[1]

    def compare(
        self,
        page: PageArgument,
        by: Annotated[
            list[str],
            Parameter(
                Option(None, "two to six methods", choices=tuple(METHODS)),
                min_count=2,
                max_count=6,
                required=True,
            ),
        ],
        limit: Annotated[int, _limit(10, "maximum number of pages per method")] = 10,
    ) -> str:
        """Where several methods rank the pages related to a page, and how well they agree."""
        if len(by) < 2:
            raise OptionError(f"compare: by must name two to six methods, got {len(by)}.")
        comparison = self._graph().compare(
            page, by, limit=limit, deadline=time.monotonic() + SECONDS
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


TOOLS = (
    Tools.related,
    Tools.why,
    Tools.links,
    Tools.path,
    Tools.find_pages,
    Tools.gaps,
    Tools.missing_links,
    Tools.mentions,
    Tools.compare,
)


@cache
def arguments_of(tool: str) -> Parameters:
    """The parameters of a tool, as its annotations declare them."""
    hints = get_type_hints(getattr(Tools, tool), include_extras=True)
    declared = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    return Parameters(tool, {name: each[0] for name, each in declared.items() if each})


def schema(tool: str) -> dict[str, Any]:
    """The JSON schema of a tool's arguments.

    String lengths and false or empty defaults are left out: an agent pays for every token.
    """
    parameters = arguments_of(tool).path_parameters
    properties = {}
    for name, each in parameters.items():
        values = schema_of(each)
        if each.pages and each.max_count > 1:
            values = {**values, "type": ["string", "array"], "items": {"type": "string"}}
        kept = {key: one for key, one in values.items() if not key.endswith("Length")}
        if not kept.get("default", True):
            del kept["default"]
        properties[name] = {**kept, "description": each.option.sentence}
    required = [name for name, each in parameters.items() if each.required]
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def checked(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """A call's arguments, converted to the tool's types; a wrong one raises an OptionError."""
    values = arguments_of(tool).read(arguments).path_values
    return {name: list(one) if isinstance(one, tuple) else one for name, one in values.items()}


def _results(answer: Answer) -> Iterator[str]:
    yield from map(line, answer.notes)
    names = ", ".join(map(line, answer.answered_for))
    yield f"{len(answer)} pages related to {names}, by {answer.by.name}:"
    for place, each in enumerate(answer, 1):
        grade = answer.grade(each)
        strength = ", weak evidence" if grade == WEAK else f", {grade}" if grade else ""
        reason = line(each.evidence["sentence"])
        yield f"{place}. {page_line(each.url, each.title)}{strength}: {reason}"


def _limit_of(seconds: int | None) -> float:
    return SECONDS if seconds is None else seconds


@contextmanager
def _time_limit(tool: str, seconds: int | None) -> Iterator[None]:
    """Explain how to get more time if there was too little."""
    try:
        yield
    except OutOfTime:
        limit = _limit_of(seconds)
        more = f"pass a higher limit as `seconds`, up to {MAX_SECONDS}"
        way = more if limit < MAX_SECONDS else "ask the user to run related gaps"
        raise OutOfTime(
            f"{tool}: reading all pages takes longer than {limit:g} seconds; {way}."
        ) from None
