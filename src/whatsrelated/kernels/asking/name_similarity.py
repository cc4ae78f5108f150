"""The similarity of names, in plain Python."""

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
    """The part of the name that is compared."""
    if key[:1] == bytes([_NUMBER]):
        return b""
    url = _URL.fullmatch(key)
    host = _HOST.match(key)
    path = (url[1] if url else key[host.end() :] if host else key).strip(b"/").lower()
    return b"/" + _ENDING.sub(b"", path) + b"/"


def cosines(text: Any, ends: Any) -> NDArray[float64]:
    """The similarity of each name to the first, from 0 to 1; names are packed sort keys."""
    names = []
    for path in map(path_of, Names(text, ends)):
        names.append({path[i : i + 3]: path[i + 1 :].count(b"/") for i in range(len(path) - 2)})
    counts = Counter(trigram for trigrams in names for trigram in trigrams)
    weighed = [
        {trigram: log(len(names) / counts[trigram]) / after for trigram, after in trigrams.items()}
        for trigrams in names
    ]
    lengths = [sqrt(sum(weight**2 for weight in weights.values())) for weights in weighed]
    cosine = np.zeros(len(names))
    for number, weights in enumerate(weighed if len(names) > 1 else ()):
        product = sum(weight * weighed[0].get(trigram, 0) for trigram, weight in weights.items())
        if product > 0:
            cosine[number] = product / (lengths[0] * lengths[number])
    return cosine
