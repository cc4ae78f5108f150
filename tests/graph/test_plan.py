"""How a graph is to be built."""

from __future__ import annotations

from whatsrelated.graph.plan import Plan
from whatsrelated.names.naming import Naming


def test_a_plan_reports_progress_only_if_a_callback_is_given() -> None:
    Plan(Naming()).report("reading links", 1)
    reports: list[object] = []
    Plan(Naming(), progress=lambda *report: reports.append(report)).report("grouping links", 2, 9)
    assert reports == [("grouping links", 2, 9)]
