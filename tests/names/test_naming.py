"""How a build turns raw names into the names of pages."""

from __future__ import annotations

import pytest

from whatsrelated.errors import OptionError
from whatsrelated.names.canonical import BadName
from whatsrelated.names.naming import Naming


def test_the_options_decide_the_form_of_a_raw_name() -> None:
    raw = "HTTP://Example.org:80/#top"
    assert Naming()(raw) == "http://example.org/"
    assert Naming(urls="keep")(raw) == raw
    assert Naming(merge_scheme=True)(raw) == "https://example.org/"
    assert Naming()("example.org") == "example.org"
    assert Naming(hosts_as_urls=True)("example.org") == "http://example.org/"


def test_an_impossible_name_is_rejected() -> None:
    with pytest.raises(BadName):
        Naming()("mailto:anne@example.org")
    assert Naming(urls="keep")("mailto:anne@example.org") == "mailto:anne@example.org"
    with pytest.raises(OptionError, match="build: urls must be one of canonical, keep"):
        Naming(urls="odd")


def test_it_reports_which_names_stay_as_they_are() -> None:
    assert (Naming().plain_stays, Naming().http_stays) == (True, True)
    assert not Naming(hosts_as_urls=True).plain_stays
    assert not Naming(merge_scheme=True).http_stays
    assert Naming(hosts_as_urls=True, urls="keep").plain_stays
