"""No pattern, of ours or of a user's, takes more than linear time.

Growth is measured, not time: eight times the length may cost some eight times
the processor time, where backtracking costs sixty-four times and more.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.hostile.processes import MIB, Forks, python, run, served
from tests.hostile.readers import in_this_process, slow_texts
from tests.system import TOP
from tests.waiting import PATIENCE
from whatsrelated.machine import workers

GROWTH = """
import sys, time
from whatsrelated import Graph, RelatedError
graph = Graph.from_links([("a", "tea"), ("a", "coffee"), ("b", "coffee"), ("b", "tea")])
def cost(size):
    text = eval(sys.argv[1])(size)
    best = 1e9
    for _ in range(1 if size > 1000 else 5):
        begun = time.process_time()
        try:
            eval(sys.argv[2])(graph, text)
        except RelatedError:
            pass
        best = min(best, time.process_time() - begun)
    return best
cost(100)
small, large = cost(int(sys.argv[3])), cost(8 * int(sys.argv[3]))
print(large / max(small, 2e-4))
"""


def growth(text: str, use: str, size: int) -> float:
    """How much more processor time a text eight times as long takes."""
    done = python(GROWTH, text, use, str(size))
    assert done.status == 0, done
    return float(done.out)


LINEAR = 24
"""Eight would be linear; sixty-four is quadratic."""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("lambda n: 'a' * n + '!'", id="one label"),
        pytest.param("lambda n: 'a.' + '0' * n + '!'", id="digits"),
        pytest.param("lambda n: 'a.' + '_' * n", id="underscores"),
        pytest.param("lambda n: 'a.' + 'b' * n + '!'", id="letters"),
        pytest.param("lambda n: 'a.' * (n // 2) + '!'", id="labels"),
        pytest.param("lambda n: '-' * n + '.'", id="hyphens"),
        pytest.param("lambda n: '1.' * (n // 2) + ':'", id="numbers"),
        pytest.param("lambda n: 'http://' + 'a@' * (n // 2)", id="users"),
        pytest.param("lambda n: 'http://a/' + '/.' * (n // 2)", id="dots"),
        pytest.param("lambda n: 'http://a/?' + 'utm_=&' * (n // 6)", id="parameters"),
        pytest.param("lambda n: 'data:' + ';' * n", id="data"),
    ],
)
def test_input_is_looked_up_in_linear_time(text: str) -> None:
    assert growth(text, "lambda graph, text: graph.page(text)", 300) < LINEAR


MATCH = """lambda graph, name: __import__(
    "whatsrelated.query.patterns", fromlist=["Pattern"]
).Pattern({!r}, "only").matches(name)"""


@pytest.mark.parametrize(
    "pattern",
    [
        "re:(a+)+$",
        "re:(a|aa)+$",
        "re:(a*)*b",
        "re:(.*a){12}$",
        "re:(a?){60}a{60}$",
        r"re:(\w+\s?)*$!",
        "re:((?:)*|a)*$",
        "re:(a|b)*a(a|b){900}c",
        "*a" * 300 + "b",
        "*" + "[ab]" * 240 + "c*",
    ],
)
def test_a_name_is_matched_in_linear_time(pattern: str) -> None:
    name = "lambda n: ''.join('ab'[i.bit_count() % 2] for i in range(n)) + '!'"
    assert growth(name, MATCH.format(pattern), 1000) < LINEAR


def test_no_pattern_of_the_tree_takes_more_than_linear_time() -> None:
    done = run([sys.executable, "-m", "tests.hostile.patterns"], cwd=TOP, seconds=5 * PATIENCE)
    assert done.status == 0, done
    assert done.out.endswith(" 0 slow\n")


def test_no_reader_takes_more_than_linear_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "results", in_this_process)
    assert list(slow_texts(tmp_path, every=11)) == []


def test_one_request_does_not_freeze_a_server(tmp_path: Path) -> None:
    """Eight kilobytes instead of a URL, and every other client waits."""
    typed = "a." + "b" * 8000 + "!"
    with served("sample", tmp_path / "log", "--deadline", "1") as server:
        server.client.get("/api/related", params={"url": "nowhere.zz"})
        before = server.cpu_seconds()
        server.client.get("/api/related", params={"url": typed})
        server.client.get("/api/health")
        assert server.cpu_seconds() - before < 2


NESTED = {
    "nothing, often": "re:(?:){400000000}",
    "nothing, up to often": "re:(?:){0,400000000}",
    "nothing in groups": "re:(?:(?:(?:){9999}){9999}){9999}",
    "anchors, often": "re:^{400000000}",
    "a group of anchors": "re:(?:^|$){300000000}",
}


@pytest.mark.parametrize("pattern", NESTED.values(), ids=NESTED)
def test_a_pattern_that_repeats_nothing_does_no_harm(pattern: str, forks: Forks) -> None:
    words = ("to", "https://www.nytimes.com/", "-g", "sample", "--by", "cocitation")
    done = forks.one(*words, "--only", pattern, seconds=60, memory=2048 * MIB)
    assert done.status in (0, 1, 2), done
    assert done.is_tidy, done


@pytest.mark.parametrize(
    "pattern",
    [
        "re:(a+)+b",
        "re:(a|a)*b",
        "re:(a|aa)+$",
        "re:(.*)*x",
        "re:" + "a?" * 200 + "a" * 200,
        "*a" * 300,
    ],
)
def test_a_pattern_that_backtracks_elsewhere_does_not_here(pattern: str, forks: Forks) -> None:
    words = ("to", "https://www.nytimes.com/", "-g", "sample", "--by", "cocitation")
    done = forks.one(*words, "--only", pattern, seconds=20)
    assert done.is_tidy, done


READ = {
    "graphml": "'<graphml><!--' + 'x' * n + '--><graph><node id=\"b\"/></graph></graphml>'",
    "rows": "'0: ' + '1 ' * (n // 2) + '-1\\n1: 0 -1\\n'",
    "columns": "'a\\t' + 'b' * n + '\\nc\\td\\n'",
    "gml": "'graph [ node [ id 1 label \"' + 'x' * n + '\" ] ]'",
}
READING = """
import sys, time
from pathlib import Path
import whatsrelated
def cost(n):
    path = Path(sys.argv[1]) / "source"
    path.write_text(eval(sys.argv[3]))
    begun = time.process_time()
    try:
        whatsrelated.build(path, sys.argv[1] + "/web.graph", format=sys.argv[2])
    except whatsrelated.RelatedError as error:
        pass
    return time.process_time() - begun
cost(1000)
small, large = cost(1 << 23), cost(1 << 26)
print(large / max(small, 0.05))
"""


@pytest.mark.parametrize("kind", READ)
def test_a_reader_takes_linear_time_for_one_long_token(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    done = python(READING, tmp_path, kind, READ[kind])
    assert done.status == 0, done
    assert float(done.out) < LINEAR
