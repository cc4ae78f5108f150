"""Missing links for editors and CI: one line each, or SARIF."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from whatsrelated.apps.gaps.findings import MissingLink

RULES = {
    "missing-link": "The page mentions another page without linking to it.",
    "see-also": "The page should link to another page that it does not mention.",
}


def message(link: MissingLink) -> str:
    """One sentence that tells the editor what to do about a missing link."""
    name = link.target_title or link.target
    if link.place is not None and link.place.anchor:
        return f'"{link.place.anchor}" could link to {link.target} ({name}), score {link.score:.2f}'
    return f'add a "See also" link to {link.target} ({name}), score {link.score:.2f}'


def lint(links: Iterable[MissingLink], root: str = "") -> Iterator[str]:
    """`file:line:column: message`, as compilers print it; links without a place are left out."""
    for link in links:
        if link.place is not None:
            place = link.place
            text = f"{root}{place.file}:{place.line}:{place.column}: {message(link)}"
            yield "".join(letter if letter.isprintable() else " " for letter in text)


def sarif(links: Iterable[MissingLink], version: str) -> str:
    """The missing links as SARIF 2.1.0."""
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "whatsrelated",
                "version": version,
                "rules": [
                    {
                        "id": name,
                        "shortDescription": {"text": text},
                        "defaultConfiguration": {"level": "note"},
                    }
                    for name, text in RULES.items()
                ],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(link) for link in links if link.place is not None],
    }
    whole = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _result(link: MissingLink) -> dict[str, Any]:
    place = link.place
    assert place is not None
    region: dict[str, Any] = {"startLine": place.line, "startColumn": place.column}
    if place.anchor:
        region["snippet"] = {"text": place.anchor}
    return {
        "ruleId": "missing-link" if place.anchor else "see-also",
        "level": "note",
        "message": {"text": f"{message(link)}. {link.reason}"},
        "rank": round(100 * link.score, 1),
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(place.file)},
                    "region": region,
                }
            }
        ],
    }
