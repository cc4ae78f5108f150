"""A server of the sample Web, one for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.apps.serve import Client, serving
from whatsrelated import sample
from whatsrelated.api import Graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph.from_pages(sample.pages())


@pytest.fixture(scope="module")
def client(graph: Graph) -> Iterator[Client]:
    with serving(graph) as client:
        yield client
