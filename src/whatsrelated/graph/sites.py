"""The hosts and domains of pages, numbered in key order.

A range of pages can be numbered separately. `SiteRange` holds its numbers relative to the pages
before it, and `Sites.followed_by` is the state after it.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from whatsrelated import kernels
from whatsrelated.graph.format import ArraysByName
from whatsrelated.names.hosts import suffix_rules
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import bool_, int32, int64, uint8, uint32, uint64
    from numpy.typing import NDArray

    SiteColumns = tuple[NDArray[uint32], NDArray[uint32]]


class Sites(msgspec.Struct, frozen=True):
    """The state of the numbering: the counts so far, and the host and domain of the last URL."""

    hosts: int = 0
    domains: int = 0
    host: bytes = b""
    ports: dict[int, int] = {}
    """The ports seen on that host, each with the number of the host-port pair."""
    domain: bytes = b""
    domain_number: int = 0

    def followed_by(self, part: SiteRange) -> Sites:
        """The state after a range of pages that was numbered separately."""
        if not part.host:
            return msgspec.structs.replace(
                self, hosts=self.hosts + part.end.hosts, domains=self.domains + part.end.domains
            )
        known = self.ports.keys() & part.ports.keys() if part.host == self.host else set()
        again = [part.ports[port] for port in known]
        ports = {
            port: self.hosts + number - sum(one < number for one in again)
            for port, number in part.end.ports.items()
        }
        same_domain = part.domain == self.domain
        stays = same_domain and part.end.domain_number == part.domain_number
        shift = self.domains - same_domain
        return Sites(
            self.hosts + part.end.hosts - len(again),
            self.domains + part.end.domains - same_domain,
            part.end.host,
            {**ports, **self.ports} if part.end.host == self.host else ports,
            part.end.domain,
            self.domain_number if stays else shift + part.end.domain_number,
        )


class SiteRange(msgspec.Struct, frozen=True):
    """The sites of a range of pages, numbered as if no pages came before."""

    end: Sites
    host: bytes = b""
    """The first host; empty if all names are plain."""
    ports: dict[int, int] = {}
    """Its ports, each with the number of the host-port pair."""
    domain: bytes = b""
    domain_number: int = 0

    @classmethod
    def of(cls, text: NDArray[uint8], ends: NDArray[uint64]) -> SiteRange:
        """The sites of the pages with these keys."""
        arrays: dict[str, _Last] = {}
        numbers = SiteNumbers(lambda name: arrays.setdefault(name, _Last()))
        sizes, ports, _ = kernels.sort_keys.hosts(text, ends)
        numbers.append(text, ends)
        urls = np.flatnonzero(sizes)
        if not len(urls):
            return cls(numbers.state)
        first = int(urls[0])
        keys = Names(text, ends)
        host = keys[first][: int(sizes[first])]
        last = bisect_left(range(len(keys)), host + b")\xff", first, key=keys.__getitem__)
        on_host = urls[urls < last]
        hosts = arrays["hosts"].values[on_host].tolist()
        lengths, _ = _suffix_rules().domains(text, ends, sizes, b"")
        return cls(
            numbers.state,
            host,
            dict(zip(ports[on_host].tolist(), hosts, strict=True)),
            host[: int(lengths[first])],
            int(arrays["domains"].values[first]),
        )


class _Last:
    """An array that is filled in one piece."""

    def append(self, values: NDArray[uint32]) -> None:
        self.values = values


class SiteNumbers:
    """Writes the host and domain number of each page, from the pages' keys in order."""

    def __init__(self, array: ArraysByName, start: Sites | None = None) -> None:
        start = start or Sites()
        self._hosts = array("hosts")
        self._domains = array("domains")
        self.hosts = start.hosts
        self.domains = start.domains
        self._host = start.host
        self._ports = dict(start.ports)
        self._domain = start.domain
        self._domain_number = start.domain_number
        self.plain: list[NDArray[uint8]] = []

    @property
    def state(self) -> Sites:
        """The state of the numbering."""
        return Sites(
            self.hosts,
            self.domains,
            self._host,
            dict(self._ports),
            self._domain,
            self._domain_number,
        )

    def append(
        self,
        text: NDArray[uint8],
        ends: NDArray[uint64],
        spans: NDArray[int64] | None = None,
    ) -> None:
        """Number the next pages, whose keys are given.

        If `spans` is given, each key stands for that many pages on its host.
        """
        sizes, ports, fresh = kernels.sort_keys.hosts(text, ends)
        plain = (sizes == 0).astype(np.uint8)
        self.plain.append(plain if spans is None else np.repeat(plain, spans))
        numbers = self._number_sites(text, ends, sizes, ports, fresh)
        for array, column in zip((self._hosts, self._domains), numbers, strict=True):
            array.append(column if spans is None else np.repeat(column, spans))

    def _number_sites(
        self,
        text: NDArray[uint8],
        ends: NDArray[uint64],
        sizes: NDArray[uint32],
        ports: NDArray[int32],
        fresh: NDArray[bool_],
    ) -> SiteColumns:
        if not sizes.any():
            counted = np.arange(len(sizes), dtype=np.uint32)
            numbers = counted + np.uint32(self.hosts), counted + np.uint32(self.domains)
            self.hosts += len(sizes)
            self.domains += len(sizes)
            return numbers
        lengths, changes = _suffix_rules().domains(text, ends, sizes, self._domain)
        if not sizes.all() or (ports >= 0).any() or not self._can_continue():
            numbers = self._number_one_by_one(text, ends, sizes, ports, fresh, changes)
        else:
            fresh[0] = text[int(ends[0]) :][: int(sizes[0])].tobytes() != self._host
            numbers = _running(fresh, self.hosts), _running(changes, self.domains)
            self.hosts, self.domains = (int(column[-1]) + 1 for column in numbers)
            self._ports = {-1: self.hosts - 1}
            self._domain_number = self.domains - 1
        last = int(np.flatnonzero(sizes)[-1])
        start = int(ends[last])
        self._host = text[start : start + int(sizes[last])].tobytes()
        self._domain = text[start : start + int(lengths[last])].tobytes()
        return numbers

    def _can_continue(self) -> bool:
        """Whether the last page written has the highest host and domain numbers, and no port."""
        return not self._host or (
            self._ports == {-1: self.hosts - 1} and self._domain_number == self.domains - 1
        )

    def _number_one_by_one(
        self,
        text: NDArray[uint8],
        ends: NDArray[uint64],
        sizes: NDArray[uint32],
        ports: NDArray[int32],
        fresh: NDArray[bool_],
        changes: NDArray[bool_],
    ) -> SiteColumns:
        """Number pages if some of them have plain names or ports."""
        first = np.flatnonzero(fresh | (np.arange(len(fresh)) == 0))
        hosts = np.empty(len(first), np.uint32)
        domains = np.empty(len(first), np.uint32)
        columns = ends[first], sizes[first], ports[first], changes[first]
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for index, (start, size, port, changed) in enumerate(rows):
            host = text[start : start + size].tobytes() if size else None
            hosts[index], domains[index] = self._site_numbers(host, port, changed)
        spans = np.diff(np.append(first, len(fresh)))
        return np.repeat(hosts, spans), np.repeat(domains, spans)

    def _site_numbers(self, host: bytes | None, port: int, changed: bool) -> tuple[int, int]:
        """The host and domain numbers of a reversed host and port; None means a plain name."""
        if host is None:
            self.hosts += 1
            self.domains += 1
            return self.hosts - 1, self.domains - 1
        if host != self._host:
            self._host = host
            self._ports = {}
        if changed:
            self._domain_number = self.domains
            self.domains += 1
        if port not in self._ports:
            self._ports[port] = self.hosts
            self.hosts += 1
        return self._ports[port], self._domain_number


def _running(changes: NDArray[bool_], count: int) -> NDArray[uint32]:
    """A running number, starting after `count`, that each change increments."""
    return (np.cumsum(changes) + (count - 1)).astype(np.uint32)


@cache
def _suffix_rules() -> kernels.domains.SuffixRules:
    return kernels.domains.SuffixRules(suffix_rules())
