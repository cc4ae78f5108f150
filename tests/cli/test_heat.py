"""A matrix as a heat map, on the terminal or as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.graphs import graph_of
from whatsrelated.cli import similarity as verb
from whatsrelated.cli.heat import heat_map
from whatsrelated.errors import OptionError

PAPERS = ["https://www.nytimes.com/", "https://www.wsj.com/", "https://www.debian.org/"]


def command(*words: str) -> str:
    done = CliRunner().invoke(verb.command, ["--graph", "sample", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_picture_is_a_png_with_a_square_for_each_pair(tmp_path: Path) -> None:
    image = pytest.importorskip("matplotlib.image")
    path = tmp_path / "alike.png"
    command(*PAPERS, "--by", "cocitation", "--picture", str(path))
    assert path.read_bytes().startswith(b"\x89PNG")
    # The most similar are yellow (much red and green, no blue), the least purple.
    red, green, blue = image.imread(path)[:, :, :3].transpose(2, 0, 1)
    assert ((red > 0.95) & (green > 0.85) & (blue < 0.2)).sum() > 1000
    assert ((red < 0.3) & (green < 0.05) & (blue > 0.3)).sum() > 1000


def test_a_picture_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    words = ["--graph", "sample", *PAPERS, "--picture", str(tmp_path / "alike.xyz")]
    done = CliRunner().invoke(verb.command, words)
    assert isinstance(done.exception, OptionError)
    assert "alike.xyz cannot be written" in str(done.exception)


def test_the_darkest_square_is_the_most_similar_pair() -> None:
    graph = graph_of("p -> a b c", "q -> a b", "r -> a b")
    alike = graph.similarity(["a", "b", "c"], by="cocitation")
    assert alike.scores[0, 1:].tolist() == [3, 1]
    assert heat_map(alike) == ["··██░░", "██··░░", "░░░░··"]
