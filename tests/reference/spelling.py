"""The similarity of names, from names as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from string import ascii_lowercase, digits
from urllib.parse import urlsplit

Similarities = dict[str, float]


def path_of(name: str) -> str:
    """What is compared of a name, a letter for each byte; a number has nothing."""
    if name.isdigit() and (name == "0" or name[0] != "0"):
        return ""
    address = urlsplit(name)
    path = name.removeprefix(f"{address.scheme}://{address.netloc}") if address.netloc else name
    if not address.netloc and is_host(name.split("/")[0]):
        path = "/".join(name.split("/")[1:])
    path = path.strip("/").encode().lower().decode("latin-1")
    start, dot, ending = path.rpartition(".")
    word = ending.isascii() and ending.replace("_", "a").isalnum()
    is_ending = start and dot and word and len(ending) <= 5
    return f"/{start if is_ending else path}/"


def is_host(text: str) -> bool:
    *labels, last = text.split(".")
    return (
        bool(labels)
        and all(label and set(label) <= set(ascii_lowercase + digits + "-") for label in labels)
        and len(last) >= 2
        and set(last) <= set(ascii_lowercase)
        and last not in ("htm", "html")
    )


def trigrams(name: str) -> list[str]:
    path = path_of(name)
    return [path[at : at + 3] for at in range(len(path) - 2)]


def cosines(query: str, pages: Sequence[str]) -> Similarities:
    """How similar each page's name is to the query's, in [0, 1]."""
    names = [query, *pages]

    def weights(name: str) -> Similarities:
        path, found = path_of(name), {}
        for trigram in trigrams(name):
            having = sum(trigram in trigrams(other) for other in names)
            slashes = path[path.rindex(trigram) + 1 :].count("/")
            found[trigram] = log(len(names) / having) / slashes
        return found

    asked = weights(query)
    spelt = {}
    for page in pages:
        own = weights(page)
        lengths = sqrt(sum(w**2 for w in asked.values()) * sum(w**2 for w in own.values()))
        product = sum(weight * asked.get(trigram, 0.0) for trigram, weight in own.items())
        spelt[page] = product / lengths if product else 0.0
    return spelt
