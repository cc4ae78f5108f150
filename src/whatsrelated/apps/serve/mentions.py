"""`/api/mentions`: unlinked mentions with their place; `/accept`: write one into a patch.

The text of the pages is shown only to users of this machine, as `files` does. Links are accepted
only with --accept-into, which needs a token; the folder itself never changes.
One thread answers all these requests, so two of them never write the patch together.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from starlette.exceptions import HTTPException

from whatsrelated.api import Graph
from whatsrelated.apps.mentions.accepted import accept, accepted_links
from whatsrelated.apps.mentions.finder import MentionFinder, folder_of
from whatsrelated.apps.mentions.verb import mentions_of_page
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.files import shows_files
from whatsrelated.apps.serve.parameters import MAX_RESULTS, Parameter, Parameters
from whatsrelated.apps.serve.replies import MentionReply, MentionsReply
from whatsrelated.apps.serve.responses import NOT_CACHED, HTTPResponse, json_response
from whatsrelated.contract.replies import Count, JSONReply
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.options import Option

MENTIONS = Parameters(
    "mentions",
    path_parameters={
        "url": Parameter(Option(None, "a page, by URL or name"), pages=True, required=True),
        "limit": Parameter(
            Option(
                50, "maximum number of mentions per direction", low=1, high=MAX_RESULTS, kind=int
            )
        ),
    },
)
ELSEWHERE = "The text of the pages is shown only to users of this machine."


class AcceptedReply(JSONReply, kw_only=True):
    """The patch after a link was accepted."""

    links: Count
    files: Count


class AcceptedLink(msgspec.Struct, forbid_unknown_fields=True):
    """A link that a user accepts."""

    source: str
    target: str


_decode = msgspec.json.Decoder(AcceptedLink).decode


def mentions(call: Call) -> HTTPResponse:
    """Where a page is mentioned without a link, and what it mentions without linking."""
    values = call.values().path_values
    graph = call.served.graph
    page = graph.page(values["url"])
    reply = MentionsReply(page=graph.url(page), incoming=[], outgoing=[], notes=[])
    if shows_files(call.server.settings):
        try:
            ways = mentions_of_page(finder_for(call), page, values["limit"])
            reply.incoming = msgspec.convert(ways["incoming"], list[MentionReply])
            reply.outgoing = msgspec.convert(ways["outgoing"], list[MentionReply])
        except ReadError as error:
            reply.notes = [str(error)]
    else:
        reply.notes = [ELSEWHERE]
    return json_response(reply, cacheable=True)


def finder_for(call: Call) -> MentionFinder:
    """The finder for the mentions of the graph; computed once, because it reads every page."""

    def ranked(graph: Graph) -> MentionFinder:
        finder = MentionFinder(graph.store, folder_of(graph.store))
        assert finder.ranked is not None  # computed here, so it is kept with the graph
        return finder

    return call.served.derived("mentions", ranked)


def patch_of(call: Call) -> Path:
    """The patch of accepted links; a server without one has no such page."""
    if call.server.settings.accept_into is None or not call.server.tokens:
        raise HTTPException(404)
    return Path(call.server.settings.accept_into)


def accepted(call: Call) -> HTTPResponse:
    """The patch with all accepted links."""
    path = patch_of(call)
    text = path.read_bytes() if accepted_links(path) else b""
    return HTTPResponse(text, media_type="text/plain; charset=utf-8", headers=dict(NOT_CACHED))


def accept_link(call: Call) -> HTTPResponse:
    """Add one link to the patch."""
    path = patch_of(call)
    try:
        link = _decode(call.body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise OptionError(f"accept: the body is not a link: {error!s:.200}.") from None
    changes = accept(finder_for(call), path, (link.source, link.target))
    return json_response(AcceptedReply(links=changes.links, files=len(changes.files)))
