"""Options of the command line come from where they are declared."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import related


def test_help_tells_the_default_of_each_method() -> None:
    told = " ".join(related("compare", "--help").stdout.split())
    assert "--siblings INT|all" in told
    assert "default 8 [companion]; default 200 [extended-cocitation, lli]" in told
    assert (
        "default 0.8 [simrank] (γ); or how much fewer pages to keep the farther they are away"
        in told
    )


def test_the_graph_can_be_named_by_the_environment(folder: Path) -> None:
    done = related("info", RELATED_GRAPH=str(folder / "web.graph"))
    assert done.returncode == 0
