"""Every page is answered exactly once, whatever is killed, sharded or joined."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from tests.apps.batch.outputs import answer, digests, expected_rows, job_for, rows_of
from whatsrelated.api import Graph
from whatsrelated.apps.batch import run
from whatsrelated.apps.batch.job import Job, Shard
from whatsrelated.apps.batch.run import answer_all, processes_within
from whatsrelated.contract.candidates import Candidates
from whatsrelated.contract.question import Question
from whatsrelated.errors import BuildError, OptionError, OutOfMemory
from whatsrelated.methods.cocitation import Cocitation

pytest.importorskip("pyarrow")


@dataclass(frozen=True)
class Hungry(Cocitation):
    """Every fifth query takes too much memory."""

    name: ClassVar[str] = "hungry"

    def find(self, question: Question) -> Candidates:
        if question.page % 5 == 0:
            raise OutOfMemory("The question needs more.")
        return super().find(question)


FORMATS = ["parquet", "jsonl", "csv", "sqlite", "jsonl.gz", "csv.gz"]


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_has_the_answers_of_related(web: Graph, tmp_path: Path, ending: str) -> None:
    output = tmp_path / f"all.{ending}"
    report = answer(web, output, limit=3)
    rows = rows_of(output)
    assert rows == expected_rows(web, limit=3)
    assert (report.pages, report.rows, report.complete) == (len(web), len(rows), True)


@pytest.mark.parametrize("ending", FORMATS)
def test_shards_together_are_the_whole_byte_for_byte(
    web: Graph, tmp_path: Path, ending: str
) -> None:
    whole, shared = tmp_path / "whole" / f"all.{ending}", tmp_path / "shared" / f"all.{ending}"
    whole.parent.mkdir()
    shared.parent.mkdir()
    answer(web, whole, limit=3)
    for number in (3, 1, 2):
        report = answer_all(web, job_for(web, shared, limit=3), shard=Shard(number, 3), processes=1)
        assert report.complete == (number == 2)
    one, other = (path if path.is_dir() else path.parent for path in (whole, shared))
    assert digests(one) == digests(other)


def test_processes_write_what_one_writes(web: Graph, tmp_path: Path) -> None:
    one, two = tmp_path / "one.parquet", tmp_path / "two.parquet"
    answer(web, one, limit=3)
    seen: list[tuple[str, int, int | None]] = []
    report = answer_all(
        web,
        job_for(web, two, limit=3),
        processes=2,
        progress=lambda *told: seen.append(told),
    )
    assert digests(one) == digests(two)
    assert report.pages == len(web)
    assert all(what == "finding related pages" and of == len(web) for what, _, of in seen)


def test_an_existing_part_is_not_made_again(web: Graph, tmp_path: Path) -> None:
    output = tmp_path / "all.parquet"
    answer(web, output)
    whole = digests(output)
    (output / "part-000003.parquet").unlink()
    (output / "part-000005.parquet").write_bytes(b"as it was")
    report = answer(web, output)
    assert report.pages == 150
    assert report.already_done == len(web) - 150
    left = digests(output)
    assert {name for name in whole if whole[name] != left[name]} == {"part-000005.parquet"}


@pytest.mark.parametrize("ending", ["parquet", "csv", "sqlite"])
def test_a_finished_output_is_left_as_it_is(web: Graph, tmp_path: Path, ending: str) -> None:
    output = tmp_path / f"all.{ending}"
    answer(web, output, limit=2)
    before = digests(tmp_path)
    report = answer(web, output, limit=2)
    assert (report.pages, report.already_done, report.complete) == (0, len(web), True)
    assert digests(tmp_path) == before
    assert not (tmp_path / f"all.{ending}.parts").exists()


def test_a_job_killed_between_joining_and_removing_ends_the_same(
    web: Graph, tmp_path: Path
) -> None:
    output = tmp_path / "all.jsonl"
    answer(web, output)
    whole = output.read_bytes()
    parts = tmp_path / "all.jsonl.parts"
    parts.mkdir()
    (parts / "part-000000.jsonl").write_bytes(b"old")
    answer(web, output)
    assert output.read_bytes() == whole
    assert not parts.exists()


@pytest.mark.parametrize("other", [{"limit": 4}, {"new": True}, {"parents": 7}])
def test_other_answers_are_refused_with_what_differs(
    web: Graph, tmp_path: Path, other: dict[str, int]
) -> None:
    output = tmp_path / "all.parquet"
    answer(web, output)
    (name,) = other
    with pytest.raises(OptionError, match=rf"options {name} was .*, is now .*Remove that output"):
        answer(web, output, **other)
    with pytest.raises(OptionError, match='by was "cocitation", is now "walk"'):
        answer(web, output, by="walk")


def test_another_graph_is_refused(web: Graph, tmp_path: Path) -> None:
    output = tmp_path / "all.csv"
    answer(web, output)
    other = Graph.from_links([("a", "b")])
    with pytest.raises(OptionError, match=r"graph was .*; pages was 1244, is now 2"):
        answer(other, output)


def test_existing_foreign_files_are_not_touched(web: Graph, tmp_path: Path) -> None:
    folder, file = tmp_path / "all.parquet", tmp_path / "all.csv"
    folder.mkdir()
    (folder / "holiday.jpg").write_bytes(b"sea")
    file.write_bytes(b"mine")
    with pytest.raises(BuildError, match="contains other files"):
        answer(web, folder)
    with pytest.raises(BuildError, match="exists and has no manifest"):
        answer(web, file)
    assert file.read_bytes() == b"mine"


def test_a_question_without_room_is_counted_and_the_others_go_on(
    web: Graph, tmp_path: Path
) -> None:
    output = tmp_path / "all.jsonl"
    report = answer_all(
        web, Job(web.batch(Hungry(), chop=False), output, "jsonl", len(web)), processes=1
    )
    hungry = [web.url(page) for page in range(0, len(web), 5)]
    assert report.n_failed == len(hungry)
    assert report.failed == dict.fromkeys(hungry[:3], "The question needs more.")
    assert len(output.read_bytes().splitlines()) == len(web)
    others = {url for url, *_ in expected_rows(web, chop=False)} - {*hungry}
    assert {url for url, *_ in rows_of(output)} == others


def test_an_error_in_a_process_is_the_same_as_in_one(web: Graph, tmp_path: Path) -> None:
    output = tmp_path / "all.parquet"
    job = job_for(web, output, by="hubfinder", like=0.5)
    for processes in (1, 2):
        with pytest.raises(OptionError, match=r"built .*text"):
            answer_all(web, job, processes=processes)


def test_a_full_disk_is_one_sentence_and_leaves_no_part(
    web: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "all.jsonl"

    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setitem(run.formats.WRITERS, "jsonl", fail)
        with pytest.raises(BuildError, match="cannot be written: No space left on device"):
            answer(web, output)
    assert list(tmp_path.iterdir()) == []
    assert answer(web, output).complete


def test_memory_bounds_processes_first_and_questions_last() -> None:
    usual = run.QUESTION_MEMORY
    assert processes_within(None, 3) == (3, usual)
    assert processes_within(100 << 30, 3) == (3, usual)
    assert processes_within(2 << 30, 3) == (2, usual)
    count, question = processes_within(512 << 20, 3)
    assert count == 1
    assert question == 256 << 20


JOB = """
import sys
from pathlib import Path
from whatsrelated import api
from whatsrelated.apps.batch.job import Job
from whatsrelated.apps.batch.run import answer_all
graph = api.open(sys.argv[1])
output = Path(sys.argv[2])
batch = graph.batch("companion", limit=4)
kind = output.suffix[1:]
answer_all(graph, Job(batch, output, kind, len(graph), part_pages=40), processes=int(sys.argv[3]))
"""


def start(web: Graph, output: Path, processes: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", JOB, str(web.store.path), str(output), str(processes)],
        start_new_session=True,
    )


def parts_of(folder: Path) -> int:
    return len(list(folder.glob("part-*"))) if folder.is_dir() else 0


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_kill_at_any_moment_loses_and_repeats_no_page(
    web: Graph, tmp_path: Path, ending: str
) -> None:
    whole, output = tmp_path / f"whole.{ending}", tmp_path / f"all.{ending}"
    assert start(web, whole, 1).wait() == 0
    folder = output if ending == "parquet" else Path(f"{output}.parts")
    chance = random.Random(ending)
    kills = int(os.environ.get("RELATED_KILLS", "2"))
    for kill in range(kills):
        running = start(web, output, 1 + kill % 2)
        until = parts_of(folder) + chance.randrange(1, 4)
        while running.poll() is None and parts_of(folder) < until:
            time.sleep(0.001)
        for _ in range(chance.randrange(20_000)):
            pass
        everyone = chance.random() < 0.5  # or the parent alone
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if everyone else os.kill)(running.pid, signal.SIGKILL)
        running.wait()
        if running.returncode == 0 and ending == "parquet" and kill < kills - 1:
            for part in list(folder.glob("part-*"))[::3]:
                part.unlink()
    assert start(web, output, 2).wait() == 0
    assert rows_of(output) == rows_of(whole)
    if ending == "parquet":
        assert digests(output) == digests(whole)
    else:
        assert output.read_bytes() == whole.read_bytes()
