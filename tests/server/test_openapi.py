"""Whatever the OpenAPI document allows or forbids, the server does as it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from tests.server import Client, serving
from whatsrelated import sample
from whatsrelated.api import Graph
from whatsrelated.server import openapi, routes

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


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving(Graph.from_pages(sample.pages())) as client:
        yield client


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
        case.call_and_validate(base_url=str(client.base_url), checks=wanted)

    holds()
