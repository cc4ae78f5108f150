"""The options of a site."""

from __future__ import annotations

import pytest

from whatsrelated.apps.site.options import SiteOptions
from whatsrelated.errors import OptionError


def test_each_list_has_its_heading():
    both = SiteOptions(show="backlinks, related", heading=["Who links here"])
    assert both.headings() == {"backlinks": "Who links here", "related": "Related pages"}
    assert SiteOptions(show=["related"]).headings() == {"related": "Related pages"}


@pytest.mark.parametrize("show", ["", "cousins", "related,cousins"])
def test_only_existing_lists_can_be_shown(show):
    with pytest.raises(OptionError, match="show must be related or backlinks, or both"):
        SiteOptions(show=show)
