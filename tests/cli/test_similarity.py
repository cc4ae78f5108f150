"""`related similarity`: a table, a heat map, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner

from whatsrelated import sample
from whatsrelated.api import Graph
from whatsrelated.cli import similarity as verb

PAPERS = ["https://www.nytimes.com/", "https://www.wsj.com/", "https://www.debian.org/"]


@pytest.fixture(scope="module")
def web() -> Graph:
    return Graph.from_pages(sample.pages())


def command(*words: str) -> str:
    done = CliRunner().invoke(verb.command, ["--graph", "sample", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_command_prints_a_table_a_heat_map_csv_or_json(web: Graph) -> None:
    alike = web.similarity(PAPERS, by="coupling")
    lines = command(*PAPERS, "--by", "coupling").splitlines()
    assert lines[1].split("\t") == ["1", "–", f"{alike.scores[0, 1]:.4g}", "0", PAPERS[0]]
    heat = command(*PAPERS, "--by", "coupling", "--heat").splitlines()
    assert heat[0] == f"   1 ··██   {PAPERS[0]}"
    rows = list(csv.reader(io.StringIO(command(*PAPERS, "--by", "coupling", "--csv"))))
    assert rows[0] == ["url", *PAPERS]
    assert rows[1] == [PAPERS[0], "", str(alike.scores[0, 1]), "0.0"]
    told = json.loads(command(*PAPERS, "--by", "coupling", "--json"))
    assert {**told, "took_ms": 0} == {**alike.as_dict(), "took_ms": 0}
    assert told["scores"][0][0] is None


def test_the_pages_can_come_from_the_standard_input() -> None:
    arguments = ["--graph", "sample", "-", "--by", "cocitation", "--csv"]
    done = CliRunner().invoke(verb.command, arguments, input="\n".join(PAPERS))
    assert done.stdout == command(*PAPERS, "--by", "cocitation", "--csv")
