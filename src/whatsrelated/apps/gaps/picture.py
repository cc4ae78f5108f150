"""Draw the map of a site: a circle for each cluster of pages, and lines for the links between
clusters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.apps.gaps.communities import communities
from whatsrelated.contract.markup import render

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy import float64, int64
    from numpy.typing import NDArray

    from whatsrelated.apps.gaps.structure import SiteStructure

PACKAGE = "whatsrelated.apps.gaps"
MAX_CLUSTERS = 24
"""Maximum number of clusters drawn; the rest are drawn as one."""
MAX_DOTS = 4000
"""Maximum number of pages drawn as dots; on larger sites, only clusters are drawn."""
HUES = 6
"""Number of cluster colours; red and orange are not among them, because they mark pages."""
LABELS, LETTER = (34, 22, 14), 6.4
"""Lengths in letters that a label may be cut to, and the width of a letter."""
ROUNDS = 300
GOLDEN = np.pi * (3 - np.sqrt(5))


@dataclass(frozen=True)
class SiteMap:
    """The clusters of a site: their pages, positions and links."""

    site: SiteStructure
    members: list[NDArray[int64]]
    names: list[str]
    between: NDArray[float64]
    centres: NDArray[float64]
    radii: NDArray[float64]

    @property
    def shows_pages(self) -> bool:
        """Whether every page is drawn as a dot."""
        return sum(map(len, self.members)) <= MAX_DOTS

    def svg(self, link_to: Callable[[str], str] | None = None) -> str:
        """The map as SVG, with the colours of the surrounding page.

        With `link_to`, every page is drawn, however many there are, and links to the address that
        `link_to` returns.
        """
        circles = np.hstack(
            [self.centres - self.radii[:, None], self.centres + self.radii[:, None]]
        )
        labels, boxes = place_labels(self.names, circles)
        everything = np.vstack([circles, boxes])
        low, high = everything[:, :2].min(axis=0) - 12, everything[:, 2:].max(axis=0) + 12
        box = " ".join(f"{value:.0f}" for value in (*low, *(high - low)))
        clusters = [
            {**self._cluster(number, link_to), **label} for number, label in enumerate(labels)
        ]
        return render(PACKAGE, "map.svg", box=box, lines=self._lines(), clusters=clusters)

    def _lines(self) -> list[dict[str, Any]]:
        most_links = self.between.max(initial=1)
        lines = []
        for one, other in zip(*np.nonzero(np.triu(self.between, 1)), strict=True):
            (x, y), (u, v) = self.centres[one], self.centres[other]
            links = int(self.between[one, other])
            width = 0.5 + 9 * np.sqrt(links / most_links)
            lines.append({"x1": x, "y1": y, "x2": u, "y2": v, "width": width, "links": links})
        return lines

    def _cluster(self, number: int, link_to: Callable[[str], str] | None) -> dict[str, Any]:
        x, y = self.centres[number].tolist()
        name, radius = self.names[number], float(self.radii[number])
        spread = radius * 0.9 / np.sqrt(len(self.members[number]))
        return {
            "x": x,
            "y": y,
            "radius": radius,
            "hue": number % HUES,
            "name": name,
            "pages": len(self.members[number]),
            "size": max(0.8, min(3.0, spread * 0.42)),
            "dots": self._dots(number, spread, link_to) if self.shows_pages or link_to else [],
        }

    def most_linked(self, number: int) -> NDArray[int64]:
        """The pages of a cluster, most linked first."""
        pages = self.members[number]
        return pages[np.lexsort((pages, -self.site.in_degrees[pages]))]

    def _dots(
        self, number: int, spread: float, link_to: Callable[[str], str] | None
    ) -> list[dict[str, Any]]:
        """The pages of a cluster, with the most linked in the middle."""
        pages = self.most_linked(number)
        angles = np.arange(len(pages)) * GOLDEN
        away = spread * np.sqrt(np.arange(len(pages)) + 0.3)
        places = (
            self.centres[number] + np.column_stack([np.cos(angles), np.sin(angles)]) * away[:, None]
        )
        return [
            self._dot(page, x, y, link_to)
            for page, (x, y) in zip(pages.tolist(), places.tolist(), strict=True)
        ]

    def _dot(
        self, page: int, x: float, y: float, link_to: Callable[[str], str] | None
    ) -> dict[str, Any]:
        url, title = self.site.store.url(page), self.site.store.title(page)
        name = f"{title} ({url})" if title and link_to else url
        href = link_to(url) if link_to else None
        return {"mark": self._mark(page), "x": x, "y": y, "name": name, "href": href}

    def _mark(self, page: int) -> str:
        if self.site.in_degrees[page] == 0:
            return "dot lost"
        return "dot end" if self.site.out_degrees[page] == 0 else "dot"


def place_labels(
    names: Sequence[str], circles: NDArray[float64]
) -> tuple[list[dict[str, Any]], NDArray[float64]]:
    """A label for each circle: below, above or on it. It overlaps no other label and, if possible,
    no other circle; long names are cut before they are put on a circle. Also returns the boxes of
    the labels.
    """
    boxes = np.zeros((0, 4))
    labels = []
    for number, name in enumerate(names):
        left, top, right, bottom = circles[number].tolist()
        others = np.delete(circles, number, axis=0)
        middle, best = (left + right) / 2, None
        for letters, base, blocked in [
            *((size, y, np.vstack([boxes, others])) for size in LABELS for y in (bottom, top - 16)),
            *((size, y, boxes) for size in LABELS for y in ((top + bottom) / 2 - 8, bottom, top)),
        ]:
            text = name if len(name) <= letters else name[: letters - 1].rstrip() + "…"
            half = len(text) * LETTER / 2
            box = np.array([middle - half, base, middle + half, base + 16])
            clash = (box[:2] < blocked[:, 2:]) & (blocked[:, :2] < box[2:])
            if not clash.all(axis=1).any():
                best = text, box
                break
        text, box = best or ("", np.array([middle, top, middle, top]))
        labels.append({"label": text, "label_x": middle, "label_y": float(box[1]) + 12})
        boxes = np.vstack([boxes, box])
    return labels, boxes


def map_of(site: SiteStructure) -> SiteMap | None:
    """The map of a site; None if it has no pages."""
    pages = np.flatnonzero(site.is_page)
    if not len(pages):
        return None
    clusters = communities(site.store.n_pages, *site.links)
    clusters = np.where(clusters >= MAX_CLUSTERS - 1, MAX_CLUSTERS - 1, clusters)
    kinds = [number for number in np.unique(clusters[pages]).tolist() if number >= 0]
    members = [pages[clusters[pages] == number] for number in kinds]
    names = [_name(site, group) for group in members]
    if len(kinds) == MAX_CLUSTERS:
        names[-1] = "smaller clusters"
    alone = pages[clusters[pages] < 0]
    if len(alone):
        members.append(alone)
        names.append("no links at all")
    place = {number: at for at, number in enumerate(kinds)}
    between = np.zeros((len(members), len(members)))
    sources, targets = (clusters[ends] for ends in site.links)
    for (one, other), count in Counter(
        zip(sources.tolist(), targets.tolist(), strict=True)
    ).items():
        if one != other:
            between[place[one], place[other]] += count
    between += between.T
    radii = 14 + 250 * np.sqrt(np.array([len(group) for group in members]) / len(pages) / 3)
    return SiteMap(site, members, names, between, _layout(between, radii), radii)


def _name(site: SiteStructure, pages: NDArray[int64]) -> str:
    """The folder that holds most pages of a cluster, and the title of its most linked page."""
    best = int(pages[np.lexsort((pages, -site.in_degrees[pages]))[0]])
    title = site.store.title(best) or site.store.url(best)
    urls = site.store.urls(pages.astype(np.uint32))
    folder, count = Counter(url.rpartition("/")[0] for url in urls).most_common(1)[0]
    last = folder.rpartition("/")[2]
    return f"{last}: {title}" if last and count * 2 > len(pages) else title


def _layout(between: NDArray[float64], radii: NDArray[float64]) -> NDArray[float64]:
    """The positions of the circles: linked clusters are close together, and none overlap."""
    count = len(radii)
    angles = np.arange(count) * GOLDEN
    places = (
        np.column_stack([np.cos(angles), np.sin(angles)]).T * 60 * np.sqrt(np.arange(count))
    ).T
    pull = np.sqrt(between / max(between.max(initial=0), 1))
    room = radii[:, None] + radii[None, :] + 44
    for round_ in range(ROUNDS):
        apart = places[None, :, :] - places[:, None, :]
        distance = np.sqrt((apart**2).sum(axis=2)) + 1e-9
        toward = apart / distance[:, :, None]
        step = 0.2 * (1 - round_ / ROUNDS)
        force = step * (0.02 + pull) * np.maximum(distance - room, 0)
        force -= 0.5 * np.maximum(room - distance, 0)
        np.fill_diagonal(force, 0)
        places = places + (toward * force[:, :, None]).sum(axis=1) / 2
    return np.asarray(places)
