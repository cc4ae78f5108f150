"""A study small enough to work out by hand, and one on a real socket."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.graphs import graph_of
from tests.waiting import PATIENCE, eventually
from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.apps.serve.connection import BoundedServer
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.workers import address_of, listen
from whatsrelated.apps.study.app import StudyServer
from whatsrelated.apps.study.journal import Journal
from whatsrelated.apps.study.own import OwnPages
from whatsrelated.apps.study.plan import StudyPlan, plan_study

GRAPH = graph_of(
    "p -> tea milk cup", "q -> tea milk coffee", "r -> coffee tea sugar", "s -> cup sugar"
)
METHODS = contenders("cocitation(enough=1, shared=1),cpa")


def small_plan(**more: Any) -> StudyPlan:
    """Two queries to two methods on a small graph."""
    return plan_study(GRAPH, "by hand", ["tea", "milk"], METHODS, **more)


def own_plan(**more: Any) -> StudyPlan:
    """The same methods, for pages that judges bring."""
    return plan_study(GRAPH, "by hand", [], METHODS, owners={}, **more)


@contextmanager
def small_study(path: Path, *judges: str, **more: Any) -> Iterator[Journal]:
    with Journal.create(path, small_plan(**more)) as journal:
        journal.add_judges(judges)
        yield journal


@contextmanager
def serving_study(
    journal: Journal, own_pages: OwnPages | None = None, **settings: Any
) -> Iterator[httpx.Client]:
    """A client of the study's server, in a thread."""
    chosen = Settings(port=0, **settings)
    sockets = listen(chosen)
    worker = BoundedServer(StudyServer(journal, chosen, own_pages), chosen)
    thread = threading.Thread(target=worker.run, args=(sockets,), daemon=True)
    thread.start()
    eventually(lambda: worker.started)
    try:
        with httpx.Client(base_url=address_of(sockets[0]), timeout=PATIENCE) as client:
            yield client
    finally:
        worker.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()
