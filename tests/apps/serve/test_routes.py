"""The table of paths: each with its parameters, and a reply if it sends JSON."""

from __future__ import annotations

import pytest

from whatsrelated.apps.serve import routes
from whatsrelated.apps.serve.endpoint import Endpoint


@pytest.mark.parametrize("route", routes.API, ids=lambda route: str(route.path))
def test_a_path_of_the_api_declares_what_it_sends(route: Endpoint) -> None:
    assert not route.page
    assert route.sentence.endswith(".")
    if route.path not in ("/metrics", "/openapi.json"):
        assert route.reply is not None
    assert not (route.light and route.heavy)


@pytest.mark.parametrize("route", routes.API, ids=lambda route: str(route.path))
def test_every_parameter_has_a_sentence_and_numbers_have_bounds(route: Endpoint) -> None:
    for name, owners in route.parameters.declared.items():
        for parameter in owners.values():
            assert parameter.option.sentence, name
            if parameter.option.kind in (int, float):
                assert parameter.option.high is not None, name
