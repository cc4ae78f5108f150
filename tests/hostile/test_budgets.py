"""One question uses a bounded amount of memory, whatever its options and the graph.

The graphs are small, but at HTTP's bounds the memory for a question grows with the
product of two options.  The server's address space is too small to answer such a
question without a budget; the kernel reports peak memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.graphs import build_hub
from tests.hostile.processes import MIB, Served, python, served
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options

ROOM = 256 * MIB
"""The memory that one question may use besides the graph."""


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2,500 parents of page 0 that all link to the same 2,500 pages: 6.25 million links."""
    return build_hub(tmp_path_factory.mktemp("dense"), 2500, 2500, shared=True)


@pytest.fixture(scope="module")
def broad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """5,000 parents of page 0, each with links to 40 other pages."""
    return build_hub(tmp_path_factory.mktemp("broad"), 5000, 40, shared=False)


NARROWING = ("enough", "max_rounds", "near_links", "shared", "threshold", "vector")
"""Integer options that never make a method do more work, however large they are."""


def widest(server: Served, method: str) -> dict[str, Any]:
    """Every integer option that may make a method read more, at its bound over HTTP."""
    declared = declared_options(METHODS[method])
    told = server.client.get("/api/methods").json()["methods"]
    options = next(each["options"] for each in told if each["name"] == method)
    highest = {
        each["name"]: each["high"]
        for each in options
        if declared[each["name"]].kind is int and each["name"] not in NARROWING
    }
    return {"url": "0", "by": method, **highest}


@pytest.fixture(scope="module")
def narrow(broad: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for `broad` that has one GiB of address space."""
    log = tmp_path_factory.mktemp("narrow") / "log"
    with served(broad, log, "--deadline", "5", "--threads", "1", memory=1024 * MIB) as server:
        yield server


@pytest.mark.parametrize("method", METHODS.ours)
def test_a_question_at_its_bounds_is_answered_or_refused_within_a_gib(
    method: str, narrow: Served
) -> None:
    workers = narrow.workers()
    before = narrow.log()
    answer = narrow.client.get("/api/related", params=widest(narrow, method))
    assert narrow.workers() == workers, "the worker has died of it"
    assert answer.status_code in (200, 400, 503, 504), answer.text
    assert "MemoryError" not in narrow.log()[len(before) :]


def test_companion_at_its_bounds_keeps_to_a_budget_and_says_so(dense: Path, tmp_path: Path) -> None:
    with served(dense, tmp_path / "log", "--memory", str(ROOM // MIB)) as server:
        client = server.client
        usual = client.get("/api/related", params={"url": "0", "by": "cocitation"}).json()
        before = server.peak_memory()
        answer = client.get("/api/related", params=widest(server, "companion"))
        assert server.peak_memory() - before < ROOM
        assert answer.status_code == 400 or len(answer.json()["notes"]) > len(usual["notes"])


GIVEN_BACK = """
import gc, sys, whatsrelated
def held():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
graph = whatsrelated.open(sys.argv[1])
graph.related("0", by="companion", parents=10)
before = held()
graph.related("0", by="companion", parents=20000, siblings=10000)
graph.related("0", by="companion", parents=10)
gc.collect()
print(held() - before)
"""


def test_the_memory_of_a_large_query_is_freed(dense: Path) -> None:
    """Pages of the mapped graph count too: 50 MB for both directions."""
    done = python(GIVEN_BACK, dense, memory=4096 * MIB)
    assert done.status == 0, done
    assert int(done.out) < 128 * MIB


@pytest.mark.parametrize(
    "path",
    [
        "/api/vicinity?url=0&nodes=2000",
        "/api/links?url=0&limit=1000",
        "/api/pages?prefix=1&limit=1000",
        "/api/similarity?by=simrank&" + "&".join(f"url={page}" for page in range(20)),
        "/api/similarity?by=pagesim&" + "&".join(f"url={page}" for page in range(20)),
        "/?url=0&by=lli&by=companion",
        "/ranks?by=hits",
    ],
)
def test_every_other_path_keeps_within_a_gib_too(path: str, narrow: Served) -> None:
    before = narrow.log()
    answer = narrow.client.get(path)
    assert answer.status_code != 500, narrow.log()[len(before) :]
    assert "MemoryError" not in narrow.log()[len(before) :]
