"""A look-up tries what somebody may have meant; chopping goes up to the root."""

from hypothesis import given

from tests.names.strategies import NAMES
from whatsrelated.names.canonical import canonical
from whatsrelated.names.lookup import ancestors, likely_names, slash_twin


def test_a_look_up_tries_what_a_person_may_have_meant():
    assert list(likely_names("www.nytimes.com")) == [
        "www.nytimes.com",
        "https://www.nytimes.com/",
        "http://www.nytimes.com/",
        "https://nytimes.com/",
        "http://nytimes.com/",
    ]
    assert list(likely_names("https://A.org/x")) == [
        "https://a.org/x",
        "http://a.org/x",
        "https://www.a.org/x",
        "https://a.org/x/",
        "http://www.a.org/x",
        "http://a.org/x/",
        "https://www.a.org/x/",
        "http://www.a.org/x/",
    ]
    assert list(likely_names("nytimes.com/x"))[:3] == [
        "nytimes.com/x",
        "https://nytimes.com/x",
        "http://nytimes.com/x",
    ]
    assert list(likely_names("10.0.0.1:80")) == [
        "10.0.0.1:80",
        "https://10.0.0.1:80/",
        "http://10.0.0.1/",
    ]
    assert list(likely_names("file:///a/b")) == ["file:///a/b", "file:///a/b/"]
    assert list(likely_names("Tea time")) == ["Tea time"]
    assert list(likely_names("drinks/Tea time.md")) == ["drinks/Tea time.md", "drinks/Tea time"]
    assert list(likely_names("tea.MD"))[:3] == ["tea.MD", "tea", "https://tea.md/"]
    assert list(likely_names("mailto:anne@example.org")) == []
    assert list(likely_names("")) == []


@given(NAMES)
def test_look_ups_and_ancestors_are_canonical_and_distinct(raw):
    for names in (list(likely_names(raw)), list(ancestors(next(likely_names(raw), "")))):
        assert len(set(names)) == len(names)
        assert [canonical(name) for name in names] == names


def test_chopping_goes_up_to_the_root():
    assert list(ancestors("https://a.org/x/y/z.html?q=1/2")) == [
        "https://a.org/x/y/z.html",
        "https://a.org/x/y/",
        "https://a.org/x/",
        "https://a.org/",
    ]
    assert list(ancestors("https://a.org/x//y/")) == [
        "https://a.org/x//",
        "https://a.org/x/",
        "https://a.org/",
    ]
    assert list(ancestors("https://a.org/?q")) == ["https://a.org/"]
    assert list(ancestors("http://a.org?q")) == ["http://a.org/"]
    assert list(ancestors("https://a.org/")) == []
    assert list(ancestors("file:///a/b")) == ["file:///a/", "file:///"]
    assert list(ancestors("Tea/Green")) == []


def test_a_trailing_slash_has_a_twin():
    assert slash_twin("https://a.org/x") == "https://a.org/x/"
    assert slash_twin("https://a.org/x/") == "https://a.org/x"
    assert slash_twin("https://a.org/x?q=/") == "https://a.org/x/?q=/"
    assert slash_twin("https://a.org/") is None
    assert slash_twin("https://a.org/?q") is None
    assert slash_twin("Tea") is None
