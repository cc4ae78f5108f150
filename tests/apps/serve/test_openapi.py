"""The server accepts what the OpenAPI document allows and rejects the rest."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from tests.apps.serve import Client
from tests.waiting import PATIENCE
from whatsrelated.apps.serve import openapi, routes
from whatsrelated.apps.serve.parameters import FILES
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options
from whatsrelated.query.request import Request

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
REFUSALS = {"expected-statuses": [400, 404, 405, 413, 414, 415, 431]}
SCHEMA = schemathesis.openapi.from_dict(
    openapi.document(routes.TABLE.values()),
    config=schemathesis.Config.from_dict({"checks": {"negative_data_rejection": REFUSALS}}),
)
OPERATIONS = [found.ok() for found in SCHEMA.get_all_operations()]


def test_the_openapi_document_names_every_route_and_option(client: Client) -> None:
    told = client.get("/openapi.json").json()
    assert set(told["paths"]) == {
        "/files/{path}",
        *(path for path, route in routes.TABLE.items() if not route.page),
    }
    named = {each["name"] for each in told["paths"]["/api/related"]["get"]["parameters"]}
    for owner in (Request, *METHODS.values()):
        assert named >= set(declared_options(owner)) - set(FILES)


@pytest.mark.parametrize(
    ("operation", "mode"),
    [
        pytest.param(operation, mode, id=f"{operation.label} {mode.value}")
        for operation in OPERATIONS
        for mode in GenerationMode
        if mode.is_positive or operation.query or operation.body
    ],
)
def test_every_route_keeps_to_its_document(
    client: Client, operation: Any, mode: GenerationMode
) -> None:
    # A list of queries is accepted, with an error in the place of each that is wrong.
    wanted = CHECKS if operation.body else [*CHECKS, checks.negative_data_rejection]

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    def holds(case: Any) -> None:
        # In a query string, a list of one value looks like that value.
        listed = [each for each in (case.query or {}).values() if isinstance(each, list)]
        assume(mode.is_positive or all(len(each) != 1 for each in listed))
        case.call_and_validate(base_url=str(client.base_url), checks=wanted, timeout=PATIENCE)

    holds()
