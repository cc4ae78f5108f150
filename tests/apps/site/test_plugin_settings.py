"""The settings of generators are the options of the command."""

from __future__ import annotations

import pytest

from whatsrelated.apps.site.options import SiteOptions
from whatsrelated.apps.site.plugin_settings import SETTINGS, asking
from whatsrelated.errors import OptionError

UNSET = dict.fromkeys(SETTINGS)


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_defaults_are_those_of_the_command():
    assert asking(UNSET).options == SiteOptions()
    assert (asking(UNSET).by, asking(UNSET).method) == (None, {})


def test_settings_are_checked_as_options_are():
    given = {**UNSET, "limit": 3, "skip": ["a/*", "b/*"], "by": "cocitation"}
    how = asking({**given, "options": {"parents": 7, "links": "all"}})
    assert (how.options.limit, how.options.skip, how.by) == (3, "a/*\nb/*", "cocitation")
    assert (how.method, how.reading) == ({"parents": 7}, {"links": "all"})
    with pytest.raises(OptionError, match="limit must be at least 1, got 0"):
        asking({**UNSET, "limit": 0})


def test_missing_settings_come_from_related_toml(tmp_path):
    (tmp_path / "related.toml").write_text(
        '[site]\nlimit = 7\nskip = ["x/*"]\nheading = ["Nearby"]\ndata = "x.json"\nparents = 9\n'
    )
    how = asking({**UNSET, "limit": 3})
    assert (how.options.limit, how.options.skip, how.method) == (3, "x/*", {"parents": 9})
