"""How much names are spelt alike, in plain Python."""

from __future__ import annotations

import re
from collections import Counter
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

_NUMBER = 6
_URL = re.compile(rb"[^)]*+\)([^\x05]*?)(?:\x05.*)?[\x01-\x04]", re.DOTALL)
_HOST = re.compile(rb"(?:[a-z0-9-]+\.)+(?!html?(?:/|\Z))[a-z]{2,}(?=/|\Z)")
_ENDING = re.compile(rb"(?<=.)\.[a-z0-9_]{1,5}\Z", re.DOTALL)


def path_of(key: bytes) -> bytes:
    """What is compared of the name with this sort key."""
    if key[:1] == bytes([_NUMBER]):
        return b""
    url = _URL.fullmatch(key)
    host = _HOST.match(key)
    path = (url[1] if url else key[host.end() :] if host else key).strip(b"/").lower()
    return b"/" + _ENDING.sub(b"", path) + b"/"


def cosines(text: Any, ends: Any) -> NDArray[float64]:
    """How much each name is spelt like the first, from 0 to 1; names are packed sort keys."""
    spelt = []
    for path in map(path_of, Names(text, ends)):
        spelt.append({path[i : i + 3]: path[i + 1 :].count(b"/") for i in range(len(path) - 2)})
    having = Counter(trigram for trigrams in spelt for trigram in trigrams)
    weighed = [
        {trigram: log(len(spelt) / having[trigram]) / after for trigram, after in trigrams.items()}
        for trigrams in spelt
    ]
    lengths = [sqrt(sum(weight**2 for weight in weights.values())) for weights in weighed]
    alike = np.zeros(len(spelt))
    for number, weights in enumerate(weighed if len(spelt) > 1 else ()):
        product = sum(weight * weighed[0].get(trigram, 0) for trigram, weight in weights.items())
        if product > 0:
            alike[number] = product / (lengths[0] * lengths[number])
    return alike
