"""Notes are left out by tag or front matter, and nothing in the graph names them."""

from __future__ import annotations

from pathlib import Path

import pytest

import whatsrelated as wr
from whatsrelated.errors import OptionError
from whatsrelated.sources import open_sources
from whatsrelated.sources.excluded_notes import ExcludedNotes


@pytest.mark.parametrize(
    ("rule", "note", "left_out"),
    [
        ("#draft", "---\ntags: [Draft, x]\n---\n", True),
        ("#draft", "---\ntags:\n  - x\n  - draft/old\n---\n", True),
        ("#draft", "---\ntag: x, draft\n---\n", True),
        ("#draft", "\ufeff---\ntags: draft\n---\n", True),
        ("#draft", "A note. #draft", True),
        ("#draft", "#draft/old at the start", True),
        ("#draft", "#drafts and a#draft and https://a.org/#draft", False),
        ("#draft", "# draft", False),
        ("#draft", "`#draft`\n```\n#draft\n```\n~~~\n```\n#draft\n~~~\n", False),
        ("#draft", "```\ncode\n```\n#draft", True),
        ("draft", "---\ndraft: true\n---\n", True),
        ("draft", "+++\ndraft = true\n+++\n", True),
        ("draft", "---\ndraft: false\n---\n", False),
        ("draft", "---\ndraft:\n---\n", False),
        ("draft", "draft: true", False),
        ("status=private", "---\nStatus: Private\n---\n", True),
        ("status=private", "---\nstatus: [private, old]\n---\n", True),
        ("status=private", "---\nstatus: public\n---\n", False),
        ("#a\nb", "---\nb: 1\n---\n", True),
    ],
)
def test_a_rule_is_a_tag_or_a_key_of_the_front_matter(rule: str, note: str, left_out: bool) -> None:
    assert ExcludedNotes(rule).has(note) is left_out


def test_a_note_that_is_left_out_is_in_no_link_and_counted(tmp_path: Path) -> None:
    notes = {
        "Tea": "[[Coffee]] [[Secret]] [[alias]] [[Later]]",
        "Coffee": "[[Tea]]",
        "Secret": "---\naliases: alias\nprivate: yes\n---\n[[Tea]]",
    }
    (tmp_path / "vault" / ".obsidian").mkdir(parents=True)
    for name, text in notes.items():
        (tmp_path / "vault" / f"{name}.md").write_text(text)
    options = {"exclude": "private\n#old"}
    source = open_sources([tmp_path / "vault"], options=options)
    pages = {page.url: list(page.links) for page in source}
    assert pages == {"Coffee": ["Tea"], "Tea": ["Coffee", "Later"]}
    assert source.counts["obsidian"]["excluded notes left out"] == 1
    assert source.counts["obsidian"]["links to excluded notes left out"] == 2, (
        "by name and by alias"
    )


def test_a_rule_that_is_neither_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "Tea.md").write_text("[[Coffee]]")
    with pytest.raises(OptionError, match="exclude must be a tag such as #draft, a key"):
        wr.build([str(tmp_path)], tmp_path / "g.graph", exclude="two words")
