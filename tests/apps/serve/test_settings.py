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


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.2", "127.1.2.3", "::1", "[::1]", "localhost"]
)
def test_a_loopback_address_answers_to_known_names_alone(host: str) -> None:
    hosts = Settings(host=host).allowed_hosts()
    assert hosts is not None
    assert host in hosts
    assert "evil.example" not in hosts


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "127.example.org", "128.0.0.1"])
def test_another_address_answers_to_every_host_name_by_default(host: str) -> None:
    assert Settings(host=host).allowed_hosts() is None
