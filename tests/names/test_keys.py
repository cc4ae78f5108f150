"""A sort key gives the name back, and keeps a site together."""

import pytest
from hypothesis import example, given

from tests.names.strategies import NAMES
from whatsrelated.names.canonical import BadName, canonical, storable
from whatsrelated.names.hosts import domain_of, host_of
from whatsrelated.names.keys import key_start, name_of, sort_key


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


def test_the_start_of_a_name_is_the_start_of_its_key() -> None:
    for start, name in (
        ("https://a.org/x", "https://a.org/x/y"),
        ("https://a.org/", "https://a.org/z"),
        ("en/Te", "en/Tea"),
    ):
        assert sort_key(name).startswith(key_start(start))
    assert key_start("\ud800") == b"?"
