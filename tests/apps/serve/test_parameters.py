"""A wrong parameter gets a sentence; every bound holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from tests.apps.serve import PAPER, Client, problem
from whatsrelated.apps.serve.answers import COMPARE
from whatsrelated.apps.serve.parameters import Parameter, Parameters, Values, parameters_of
from whatsrelated.errors import OptionError
from whatsrelated.options import Configured, Option, option


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("", "related: url is missing; add url=, a page"),
        ("url=", "must be the URL or name"),
        (f"url={PAPER}&by=magic", "No method 'magic'; choose from "),
        (f"url={PAPER}&limit=0", "limit must be at least 1 and at most 1000"),
        (f"url={PAPER}&limit=1001", "at most 1000"),
        (f"url={PAPER}&limit=ten", "got 'ten'"),
        (f"url={PAPER}&limit=2&limit=3", "'limit' is given twice"),
        (f"url={PAPER}&by=cocitation&parents=1e12", "parents must be at least 1 and at most 20000"),
        (
            f"url={PAPER}&by=cocitation&magic=1",
            "cocitation has no option 'magic'; it has: parents, ",
        ),
        (f"url={PAPER}&by=cocitation&site=planet", "site must be one of auto"),
        (f"url={PAPER}&stop=/etc/passwd", "stop must be web or auto:N"),
        (f"url={PAPER}&seed=-1", "seed must be at least 0"),
        (f"url={PAPER}&why=perhaps", "why must be true or false"),
        ("url=%ff%fe", "not UTF-8"),
        ("&".join(["url=x"] * 10_000), "more than 200 fields"),
        ("url=" + "x" * 9000, "url may have 8,192 characters, got 9,000"),
        (f"url={PAPER}&site=" + "x" * 2000, "may have 1,000 characters"),
    ],
)
def test_a_bad_request_gets_a_message(client: Client, query: str, says: str) -> None:
    assert says in problem(client.get(f"/api/related?{query}"), 400)


def read(parameters: Parameters, query: str) -> Values:
    return parameters.read(parameters.fields(query.encode()))


SIZE = Parameter(Option(3, "how large", low=1, high=9, kind=int))
PAGE = Parameter(Option(None, "a page"), pages=True, required=True)
PAGES = Parameter(Option(None, "pages"), max_count=2, pages=True)


def test_one_declaration_reads_checks_and_fills_in() -> None:
    box = Parameters("box", {"url": PAGE, "with": PAGES, "size": SIZE})
    assert read(box, "url=tea").path_values == {"url": "tea", "with": None, "size": 3}
    assert read(box, "url=tea&with=a&with=b&size=9").path_values["with"] == ("a", "b")
    for query, says in (
        ("", "box: url is missing; add url=, a page."),
        ("url=tea&size=10", "box: size must be at least 1 and at most 9, got 10."),
        ("url=tea&url=milk", "'url' is given twice; use it once."),
        ("url=tea&with=a&with=b&with=c", "box: at most 2 with, got 3."),
        ("url=tea&color=red", "box has no option 'color'; it has: url, with, size."),
    ):
        with pytest.raises(OptionError) as error:
            read(box, query)
        assert str(error.value) == says


def test_a_choice_adds_its_own_options_and_bounds() -> None:
    values = read(COMPARE, "url=tea&by=cocitation,companion&enough=3&parents=30")
    assert values.options == {
        "cocitation": {"enough": 3, "parents": 30},
        "companion": {"parents": 30},
    }
    with pytest.raises(OptionError, match=r"^compare has no option 'gap'; it has: "):
        read(COMPARE, "url=tea&by=cocitation,companion&gap=0.3")


def test_an_option_without_an_upper_bound_has_one_over_http() -> None:
    @dataclass(frozen=True)
    class Endless(Configured):
        name: ClassVar[str] = "endless"
        limit: int = option(10, "how many", low=1)
        size: int = option(5, "how large", low=1)
        width: int = option(5000, "how wide", low=1)
        max_rounds: int = option(100, "how long", low=1)
        stop: str | None = option(None, "what to leave out", kind=str)

    found = parameters_of(Endless)
    highs = {name: each.option.high for name, each in found.items()}
    assert highs == {
        "limit": 1000,
        "size": 10_000,
        "width": 50_000,
        "max_rounds": 100,
        "stop": None,
    }
    with pytest.raises(OptionError, match=r"stop must be web or auto:N, got '/etc/passwd'\."):
        found["stop"].read("/etc/passwd", "endless", "stop")


def test_a_parameter_is_accepted_by_its_former_name(client: Client) -> None:
    query = f"/api/related?url={PAPER}&by=walk&limit=1000"
    linked, unlinked = (client.get(f"{query}{end}").json() for end in ("", "&unlinked=1"))
    assert len(unlinked["results"]) < len(linked["results"])
    by_former = client.get(f"{query}&strangers=1").json()
    assert by_former["results"] == unlinked["results"]
    assert by_former["options"]["unlinked"] is True
    twice = problem(client.get(f"{query}&strangers=1&unlinked=1"), 400)
    assert "strangers is now called unlinked; use only unlinked" in twice
    assert "strangers" not in client.get("/openapi.json").text


def test_a_former_name_belongs_to_the_method_that_has_it() -> None:
    values = read(COMPARE, "url=tea&by=blend,walk&names=false")
    assert values.options == {"blend": {"compare_names": False}, "walk": {}}
    with pytest.raises(OptionError, match=r"^walk has no option 'names'; it has: "):
        read(COMPARE, "url=tea&by=walk&names=false")
