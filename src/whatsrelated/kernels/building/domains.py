"""Registrable domains of sorted keys, by the public suffix list, in plain Python.

A key begins with its reversed host: `com,example,www)/path`. Its domain is therefore a prefix of
the key, one label longer than the longest public suffix. The search ends at the first prefix that
no rule starts with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.names.hosts import EXACT, EXCEPTION, WILDCARD
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import bool_, uint32
    from numpy.typing import NDArray


class SuffixRules:
    """The rules of the public suffix list: reversed suffixes and their bits."""

    def __init__(self, rules: Mapping[bytes, int]) -> None:
        self._rules = dict(rules)
        for rule in rules:
            labels = rule.split(b",")
            for count in range(1, len(labels)):
                self._rules.setdefault(b",".join(labels[:count]), 0)

    def domains(
        self, text: Any, ends: Any, sizes: Any, before: bytes
    ) -> tuple[NDArray[uint32], NDArray[bool_]]:
        """The length of each key's domain, and whether it differs from the key before.

        `sizes` holds the lengths of the hosts, or 0 for a plain name, which is its own domain.
        `before` is the domain of the URL before the first key, or empty.
        """
        keys = list(Names(text, ends))
        lengths = np.zeros(len(keys), np.uint32)
        changes = np.ones(len(keys), np.bool_)
        for index, key in enumerate(keys):
            domain = self._domain(key[: sizes[index]].lower())
            lengths[index] = len(domain)
            changes[index] = not domain or domain != before
            before = domain or before
        return lengths, changes

    def _domain(self, host: bytes) -> bytes:
        whole = host.removeprefix(b",")
        labels = whole.split(b",")
        if len(labels) == 1 or b"" in labels:
            return host
        public = 1
        for count in range(1, len(labels) + 1):
            bits = self._rules.get(b",".join(labels[:count]))
            if bits is None:
                break
            if bits & EXCEPTION:
                public = count - 1
            elif bits & WILDCARD:
                public = min(count + 1, len(labels))
            elif bits & EXACT:
                public = count
        if len(labels) <= public:
            return host
        return host[: len(host) - len(whole)] + b",".join(labels[: public + 1])
