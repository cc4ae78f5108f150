"""How a graph is served: settings are checked before anything begins."""

from __future__ import annotations

import pytest

from whatsrelated.apps.serve.settings import Settings
from whatsrelated.errors import OptionError


@pytest.mark.parametrize(
    ("setting", "value"),
    [("port", 65536), ("workers", 0), ("threads", 0), ("deadline", 0), ("queue", -1)],
)
def test_a_setting_out_of_bounds_is_an_error_that_names_it(setting: str, value: float) -> None:
    with pytest.raises(OptionError, match=rf"^serve: {setting} must be .*, got {value}\.$"):
        Settings(**{setting: value})
