"""The names of pages: one spelling, a key that gives the name back, runs, chopping."""

import string

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from whatsrelated.names import canonical as canonical_module
from whatsrelated.names.canonical import BadName, as_host, canonical, storable
from whatsrelated.names.hosts import domain_of, host_of
from whatsrelated.names.keys import name_of, sort_key
from whatsrelated.names.lookup import ancestors, likely_names, slash_twin


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("https://www.example.com/a?b", "https://www.example.com/a?b"),
        ("  HTTP://WWW.Example.COM:80/a/./b/../c#here ", "http://www.example.com/a/c"),
        ("https://example.org", "https://example.org/"),
        ("https://example.org:443/", "https://example.org/"),
        ("https://example.org:80/", "https://example.org:80/"),
        ("ftp://example.org:21/x", "ftp://example.org/x"),
        ("https://anne:secret@example.org/", "https://example.org/"),
        ("https://example.org./x", "https://example.org/x"),
        ("https://example.org/%7Eanne/%c3%bc%2fx", "https://example.org/~anne/%C3%BC%2Fx"),
        ("https://example.org/ü und ö", "https://example.org/%C3%BC%20und%20%C3%B6"),
        ("https://example.org/100%", "https://example.org/100%25"),
        ("https://example.org/%%34%31", "https://example.org/%2541"),
        ("https://example.org/a%2Ehtml", "https://example.org/a.html"),
        ("https://example.org/a/%2e%2E/b", "https://example.org/b"),
        ("https://example.org/?", "https://example.org/"),
        ("https://example.org/?utm_source=x&UTM_Medium=y", "https://example.org/"),
        ("https://example.org/?a=1&gclid=2&b=3&fbclid", "https://example.org/?a=1&b=3"),
        ("https://example.org/?utm%5Fsource=x&a", "https://example.org/?a"),
        ("https://example.org/?gclidx=1&putm_=2", "https://example.org/?gclidx=1&putm_=2"),
        ("https://example.org/?a=1&&b", "https://example.org/?a=1&&b"),
        ("https://münchen.de/", "https://xn--mnchen-3ya.de/"),
        ("https://ex_ample.org/", "https://ex_ample.org/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[0:0::1]:8080/x", "http://[::1]:8080/x"),
        ("https:\\\\example.org\\x", "https:\\\\example.org\\x"),
        ("https://example.org\\x", "https://example.org/x"),
        ("file:///home/anne/notes.html", "file:///home/anne/notes.html"),
        ("file://localhost/x", "file:///x"),
        ("  Tea ceremony ", "Tea ceremony"),
        ("C++: the language", "C++: the language"),
        ("Data: a history", "Data: a history"),
        ("File:Tea.jpg", "File:Tea.jpg"),
        ("0042", "0042"),
        ("www.example.com", "www.example.com"),
    ],
)
def test_a_name_has_one_spelling(raw, name):
    assert canonical(raw) == name
    assert canonical(name) == name


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "empty"),
        (" \t\n", "empty"),
        ("mailto:anne@example.org", "not http"),
        ("JavaScript:void(0)", "not http"),
        ("data:text/html;base64,AAAA", "not http"),
        ("data:,x", "not http"),
        ("tel:+49-30", "not http"),
        ("gopher://example.org/", "not http"),
        ("chrome-extension://abc/x", "not http"),
        ("tea\x00coffee", "control character"),
        ("https://example.org/a\nb", "control character"),
        ("del\x7f", "control character"),
        ("x" * 8193, "too long"),
        ("ü" * 4097, "too long"),
        ("https://example.org/" + "ü" * 4000, "too long"),
        ("\ud800", "not Unicode"),
        ("https://example.org/\ud800", "not Unicode"),
        ("https://", "not a URL"),
        ("https://exa mple.org/", "not a URL"),
        ("https://example.org:99999/", "not a URL"),
        ("https://[::1/", "not a URL"),
        ("https://1.2.3.256/", "not a URL"),
        ("https://a!b.org/", "odd host"),
        ("https://./", "odd host"),
    ],
)
def test_what_no_page_can_be_called_is_refused_with_a_reason(raw, reason):
    with pytest.raises(BadName) as refused:
        canonical(raw)
    assert refused.value.reason == reason
    assert isinstance(refused.value, ValueError)


def test_the_longest_name_is_taken():
    assert canonical("x" * 8192) == "x" * 8192
    longest = "https://example.org/" + "x" * (8192 - 20)
    assert canonical(longest) == longest


def test_http_and_https_are_one_page_on_request():
    assert canonical("http://example.org/a") == "http://example.org/a"
    assert canonical("http://example.org/a", merge_scheme=True) == "https://example.org/a"
    assert canonical("http://example.org:80/%7e", merge_scheme=True) == "https://example.org/~"
    assert canonical("http://example.org:443/", merge_scheme=True) == "https://example.org/"
    assert canonical("http://example.org:8080/", merge_scheme=True) == "https://example.org:8080/"
    assert canonical("ftp://example.org/", merge_scheme=True) == "ftp://example.org/"
    assert canonical("http", merge_scheme=True) == "http"


def test_kept_names_are_only_refused_where_they_cannot_be_stored():
    assert storable("HTTP://A.org:80/#x") == "HTTP://A.org:80/#x"
    assert storable(" tea ") == " tea "
    assert storable("mailto:anne@example.org") == "mailto:anne@example.org"
    for raw in ("", "  ", "a\tb", "x" * 8193, "ü" * 4097, "\udfff"):
        with pytest.raises(BadName):
            storable(raw)


def test_a_bare_host_is_a_page_where_hosts_are_meant():
    assert as_host("Example.org") == "http://example.org/"
    assert as_host("40ozblog.blogspot.com/x") == "http://40ozblog.blogspot.com/x"
    assert as_host("//example.org/x") == "http://example.org/x"
    assert as_host("localhost:8000") == "http://localhost:8000/"
    assert as_host("https://example.org") == "https://example.org/"
    assert as_host("example.org", merge_scheme=True) == "https://example.org/"
    for raw, reason in [("", "empty"), ("1234", "odd host"), ("tea time", "not a URL")]:
        with pytest.raises(BadName) as refused:
            as_host(raw)
        assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("https://www.example.com/a?b", b"com,example,www)/a?b\x02"),
        ("http://example.com/", b"com,example)/\x01"),
        ("http://Example.com", b"com,Example)\x01"),
        ("ftp://localhost:2121/x", b"localhost)/x\x052121\x03"),
        ("file://host/x", b"host)/x\x04"),
        ("http://192.168.0.1:80/x", b"192.168.0.1)/x\x0580\x01"),
        ("http://[::1]/(x)", b"[::1])/(x)\x01"),
        ("http://a.org.?q", b",org,a)?q\x01"),
        ("http://1.2.3.4.5/", b"5,4,3,2,1)/\x01"),
        ("http://a.org/ü", "org,a)/ü\x01".encode()),
        ("http://anne@a.org/", b"http://anne@a.org/"),
        ("http://a.org:/", b"http://a.org:/"),
        ("HTTP://a.org/", b"HTTP://a.org/"),
        ("file:///x", b"file:///x"),
        ("http://münchen.de/", "http://münchen.de/".encode()),
        ("0", b"\x0610"),
        ("42", b"\x06242"),
        ("9" * 19, b"\x06C" + b"9" * 19),
        ("9" * 20, b"9" * 20),
        ("042", b"042"),
        ("٤", "٤".encode()),
        ("Tea", b"Tea"),
    ],
)
def test_the_sort_key_gives_the_name_back(name, key):
    assert sort_key(name) == key
    assert name_of(key) == name


HOSTS = st.one_of(
    st.lists(
        st.text(string.ascii_lowercase + "0189-_", min_size=1, max_size=4), min_size=1, max_size=4
    ).map(".".join),
    st.sampled_from(["1.2.3.4", "[::1]", "xn--mnchen-3ya.de", "münchen.de", "A.org.", "", "a..b"]),
)
PIECES = (
    *"/.a?#&=~'),ü\\|{0:@% \u2028",
    "..",
    "%7e",
    "%2E",
    "%41",
    "%2f",
    "%%34",
    "utm_x",
    "GCLID",
)
RESTS = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)
URLS = st.builds(
    "{}://{}{}{}{}".format,
    st.sampled_from(["http", "https", "ftp", "file", "HTTP", "gopher"]),
    st.sampled_from(["", "", "", "anne:x@"]),
    HOSTS,
    st.sampled_from(["", "", "", ":80", ":443", ":8080", ":"]),
    RESTS.map(lambda rest: rest if rest[:1] in "/?#" else "/" + rest),
)
NAMES = st.one_of(URLS, st.integers(0, 10**20).map(str), st.text(max_size=12), RESTS)


@given(NAMES)
@example("http://a.org/%%34%31")
@example("https://a.org/?&")
def test_every_name_comes_back_from_its_key(raw):
    for spelled in (canonical, storable):
        try:
            name = spelled(raw)
        except BadName:
            continue
        assert name_of(sort_key(name)) == name


@given(NAMES, st.booleans())
def test_a_canonical_name_is_its_own_canonical_name(raw, merge):
    try:
        name = canonical(raw, merge_scheme=merge)
    except BadName:
        assume(False)
    assert canonical(name, merge_scheme=merge) == name
    assert storable(name) == name


@given(NAMES, st.booleans())
def test_what_is_proved_canonical_is_what_the_parser_gives(raw, merge):
    def outcome(spell):
        try:
            return spell()
        except BadName as refused:
            return refused.reason

    fast = outcome(lambda: canonical(raw, merge_scheme=merge))
    assert fast == outcome(lambda: canonical_module._canonical(raw, merge))


def test_ordinary_urls_are_proved_canonical_without_the_parser(monkeypatch):
    def parser():
        raise AssertionError("the parser was asked")

    monkeypatch.setattr(canonical_module, "_ada", parser)
    for url in (
        "https://developer.mozilla.org/en-US/docs/Web/API/Document/createElement",
        "http://www.example.com/index.php?title=Tea&oldid=12",
        "https://a_b.example.org/~anne/x,y;z=(1)/a.b..html",
    ):
        assert canonical(url) == url
    for url in ("https://a.org/../x", "https://xn--a.org/", "https://1.2.3/", "https://a.org"):
        with pytest.raises(AssertionError):
            canonical(url)


def one_run(names, belongs):
    marks = [belongs(name) for name in sorted(names, key=sort_key)]
    first, last = marks.index(True), len(marks) - marks[::-1].index(True)
    return all(marks[first:last])


def test_a_host_a_domain_and_a_path_are_each_one_run():
    hosts = ["example.com", "www.example.com", "a.www.example.com", "example-x.com", "example.org"]
    hosts += ["examplea.com", "xexample.com", "example0.com", "com", "10.0.0.1", "10.0.0.10"]
    rests = ["/", "/a", "/a/", "/a/b", "/a-b", "/a0", "/A", "/?q", "/a?q", "/)", "/,"]
    pages = {
        f"{scheme}://{host}{port}{rest}"
        for scheme in ("http", "https", "ftp", "file")
        for host in hosts
        for port in ("", ":8080")
        for rest in rests
    }
    names = pages | {"7", "10", "Tea", "com", "example"}
    assert len({sort_key(name) for name in names}) == len(names)
    for host in hosts:
        assert one_run(names, lambda name, host=host: (host_of(name) or "").split(":")[0] == host)
        inside = f"://{host}/a/"
        assert one_run(names, lambda name, inside=inside: inside in name.replace(":8080", ""))
    for domain in ("example.com", "example.org", "examplea.com"):
        assert one_run(names, lambda name, domain=domain: domain_of(host_of(name) or "") == domain)


def test_numbers_sort_as_numbers_before_all_else():
    names = ["10", "9", "100", "0", "2", "!", "https://a.org/", "09"]
    assert sorted(names, key=sort_key)[:5] == ["0", "2", "9", "10", "100"]


def test_the_host_of_a_name():
    assert host_of("https://www.Example.com:8080/x@y") == "www.example.com:8080"
    assert host_of("http://anne:x@a.org?q") == "a.org"
    assert host_of("HTTP://A.org") == "a.org"
    assert host_of("http://[::1]:80/") == "[::1]:80"
    assert host_of("file:///x") == "localhost"
    assert host_of("Tea") is None
    assert host_of("www.example.com") is None


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.example.com", "example.com"),
        ("news.bbc.co.uk:8080", "bbc.co.uk"),
        ("co.uk", "co.uk"),
        ("anne.github.io", "anne.github.io"),
        ("a.b.nowhere", "b.nowhere"),
        ("10.0.0.1:80", "10.0.0.1"),
        ("[::1]:80", "[::1]"),
        ("localhost:8000", "localhost"),
    ],
)
def test_the_registrable_domain_of_a_host(host, domain):
    assert domain_of(host) == domain


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
