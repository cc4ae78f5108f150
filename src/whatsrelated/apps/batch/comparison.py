"""Which answers changed between two outputs of `related all`, and by how much.

Both outputs list pages in the order of their sort keys, so a single pass matches any number of
pages. Two lists are compared by overlap (the share of the longer list that both contain) and by
rank-biased overlap (RBO), which gives the most weight to the first positions.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from whatsrelated.apps.batch.manifest import completed
from whatsrelated.apps.batch.reading import PageList, open_lists
from whatsrelated.contract.replies import JSONReply
from whatsrelated.errors import ReadError
from whatsrelated.names.keys import sort_key

PERSISTENCE = 0.9
"""Probability that a reader continues to the next position; the first ten positions get 86% of the
weight.
"""


class ChangedAnswer(msgspec.Struct, kw_only=True):
    """A page whose answer differs."""

    url: str
    shared: int
    of: int
    overlap: float
    rbo: float
    came: list[str]
    gone: list[str]


class AnswerDifferences(JSONReply, kw_only=True):
    """The differences between two outputs; `changed` is limited in length, but the counts are
    complete.
    """

    old: str
    new: str
    settings: list[str]
    """The options that differ."""
    pages: int
    """Pages with results in either output."""
    same: int
    changed_pages: int
    only_old: int
    """Pages with results only in the old output."""
    only_new: int
    mean_overlap: float | None
    mean_rbo: float | None
    changed: list[ChangedAnswer]
    """The pages that changed most, by RBO."""


def rank_biased_overlap(one: Sequence[str], other: Sequence[str], p: float = PERSISTENCE) -> float:
    """Rank-biased overlap of two lists without repeats, extrapolated (WMZ10, eq. 32).

    1 for equal lists, 0 if they share nothing.
    """
    short, long = sorted((one, other), key=len)
    if not long:
        return 1.0
    if not short:
        return 0.0
    s, n = len(short), len(long)
    seen_short: set[str] = set()
    seen_long: set[str] = set()
    shared = 0
    total = 0.0
    at_s = 0
    for depth in range(1, n + 1):
        new = {long[depth - 1]} if depth > s else {long[depth - 1], short[depth - 1]}
        if depth <= s:
            seen_short.add(short[depth - 1])
        seen_long.add(long[depth - 1])
        shared += sum(name in seen_short and name in seen_long for name in new)
        if depth == s:
            at_s = shared
        total += shared / depth * p**depth
        if depth > s:
            total += at_s * (depth - s) / (s * depth) * p**depth
    return (1 - p) / p * total + ((shared - at_s) / n + at_s / s) * p**n


def compare_outputs(old: Path, new: Path, limit: int = 20) -> AnswerDifferences:
    """Compare two outputs, and list the `limit` pages that changed most."""
    (old_manifest, before), (new_manifest, after) = open_lists(old), open_lists(new)
    report = AnswerDifferences(
        old=str(old),
        new=str(new),
        settings=_settings(old_manifest, new_manifest),
        pages=0,
        same=0,
        changed_pages=0,
        only_old=0,
        only_new=0,
        mean_overlap=None,
        mean_rbo=None,
        changed=[],
    )
    overlaps = rbos = 0.0
    worst: list[tuple[float, int, ChangedAnswer]] = []
    for url, one, other in _matched(before, after):
        if not one and not other:
            continue
        report.pages += 1
        if one == other:
            report.same += 1
            overlaps, rbos = overlaps + 1, rbos + 1
            continue
        answer = _changed(url, one, other)
        overlaps, rbos = overlaps + answer.overlap, rbos + answer.rbo
        report.changed_pages += 1
        report.only_old += not other
        report.only_new += not one
        heapq.heappush(worst, (-answer.rbo, -report.pages, answer))
        if len(worst) > limit:
            heapq.heappop(worst)
    if report.pages:
        report.mean_overlap, report.mean_rbo = overlaps / report.pages, rbos / report.pages
    report.changed = [answer for *_, answer in sorted(worst, reverse=True)]
    return report


def _settings(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """The settings that affect answers and differ, excluding the graph."""
    manifests = completed(old), completed(new)
    before, after = ({"by": each["by"], **each["options"]} for each in manifests)
    return [
        f"{name}: {before.get(name)!r} -> {after.get(name)!r}"
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    ]


def _changed(url: str, one: list[str], other: list[str]) -> ChangedAnswer:
    before, after = {*one}, {*other}
    shared, longer = len(before & after), max(len(one), len(other))
    return ChangedAnswer(
        url=url,
        shared=shared,
        of=longer,
        overlap=shared / longer,
        rbo=rank_biased_overlap(one, other),
        came=[page for page in other if page not in before],
        gone=[page for page in one if page not in after],
    )


def _matched(
    old: Iterator[PageList], new: Iterator[PageList]
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each page in either output, with both of its lists; a missing list is empty."""
    before, after = _keyed(old), _keyed(new)
    one, other = next(before, None), next(after, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one[0] < other[0]):
            assert one is not None
            yield one[1], one[2], []
            one = next(before, None)
        elif one is None or other[0] < one[0]:
            yield other[1], [], other[2]
            other = next(after, None)
        else:
            yield one[1], one[2], other[2]
            one, other = next(before, None), next(after, None)


def _keyed(lists: Iterator[PageList]) -> Iterator[tuple[bytes, str, list[str]]]:
    """The lists with their pages' sort keys, which must be ascending."""
    before = b""
    for url, results in lists:
        key = sort_key(url)
        if key < before:
            raise ReadError(f"{url:.80} is out of order; was the output edited by hand?")
        before = key
        yield key, url, results
