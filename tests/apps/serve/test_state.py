"""What the page shows is its URL."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest

from whatsrelated.apps.serve.state import PageState
from whatsrelated.errors import OptionError
from whatsrelated.query.request import DEFAULT_METHOD


def state_of(address: str) -> PageState:
    return PageState.of(parse_qsl(urlsplit(address).query, keep_blank_values=True))


@pytest.mark.parametrize(
    "address",
    [
        "./",
        "./?url=tea",
        "./?url=tea&url=coffee&by=cocitation&with=lli&with=walk&enough=3&show=in&view=hubs",
    ],
)
def test_a_state_is_written_as_it_was_read(address: str) -> None:
    assert state_of(address).link() == address


def test_empty_fields_and_options_of_other_methods_count_as_absent() -> None:
    state = state_of("/?url=tea&by=cocitation&enough=3&gap=0.3&limit=&with=cocitation")
    assert state.typed == {"enough": "3"}
    assert state.compared == ()
    assert state.changed == 1
    assert state_of("/?limit=3&new=true").changed == 0, "those stand beside the box"


def test_a_link_with_a_former_name_of_an_option_still_works() -> None:
    assert state_of("/?url=tea&strangers=true").link() == "./?url=tea&unlinked=true"


def test_every_method_is_asked_with_the_options_that_it_has() -> None:
    values = state_of("/?url=tea&by=cocitation&with=lli&enough=3&limit=4").values()
    assert values.path_values["url"] == ("tea",)
    assert values.options == {"cocitation": {"enough": 3, "limit": 4}, "lli": {"limit": 4}}


def test_few_methods_stand_side_by_side() -> None:
    with pytest.raises(OptionError, match="At most 4 methods can be shown side by side"):
        state_of("/?with=lli&with=walk&with=cpa&with=peers&with=hits")
    with pytest.raises(OptionError, match="No method 'magic'"):
        state_of("/?by=magic")


def test_an_option_is_a_control_of_its_kind() -> None:
    groups = dict(PageState(by="cocitation").controls())
    assert list(groups) == ["Filters", "Every method", "cocitation"]
    controls = {each["name"]: each for group in groups.values() for each in group}
    assert controls["parents"]["kind"] == "number"
    assert (controls["parents"]["low"], controls["parents"]["high"]) == (1, 20_000)
    assert controls["distinct"]["choices"] == ("true", "false")
    assert controls["site"]["choices"][0] == "auto"
    assert controls["only"]["kind"] == "text"
    assert controls["chop"]["default"] == "depends on the graph"
    assert "stop" not in controls
    assert PageState().by == DEFAULT_METHOD
