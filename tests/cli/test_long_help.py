"""`--help` lists the common options, `--help-all` every one."""

from __future__ import annotations

import re

import pytest

from tests.cli.commands import related
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.verbs import VERBS

LONG = [name for name, verb in VERBS.by_name().items() if isinstance(verb, LongCommand)]


def flags(text: str) -> list[str]:
    """The options that a help lists."""
    return re.findall(r"^  (?:-\w, )?--([\w-]+)", text, re.M)


@pytest.mark.parametrize("verb", ["build", "compare", "serve"])
def test_help_lists_common_options_and_help_all_lists_the_rest_as_well(verb: str) -> None:
    common, every = (related(verb, word).stdout for word in ("--help", "--help-all"))
    shown, all_of_them = flags(common), flags(every)
    assert len(shown) <= 16
    assert len(all_of_them) == len(set(all_of_them)) > 2 * len(shown)
    assert all_of_them[: len(shown)] == shown, "common options come first"
    left_out = len(all_of_them) - len(shown)
    assert f"related {verb} --help-all lists {left_out} more options." in common
    assert "--help-all lists" not in every


def test_the_declaration_of_an_option_decides() -> None:
    shown = flags(related("compare", "--help").stdout)
    assert "limit" in shown
    assert "seed" not in shown
    assert "verify" not in shown
    assert "seed" in flags(related("compare", "--help-all").stdout)


def test_completion_offers_common_options_first() -> None:
    found = related("completion", "--line", "related compare --").stdout
    order = [line.split("\t")[0] for line in found.splitlines()]
    assert order.index("--limit") < order.index("--seed")


def test_every_verb_with_many_options_has_both() -> None:
    assert {"build", "to", "compare", "evaluate", "serve", "site"} <= set(LONG)


def test_rare_verbs_are_listed_last_and_an_example_first() -> None:
    text = related("--help").stdout
    assert text.index("Example: related to") < text.index("Options:") < text.index("Start:")
    last = text.partition("Seldom needed:")[2]
    verbs = re.findall(r"^  ([a-z]+)", last, re.M)
    assert verbs == ["check", "pack", "config", "token", "completion", "spark"]
