"""A folder of pages: its files in order, no path outside it, and where links lead."""

from __future__ import annotations

import os

import pytest

from whatsrelated.errors import OptionError
from whatsrelated.machine.workers import ItemFailed
from whatsrelated.names.canonical import BadName
from whatsrelated.sources import folder
from whatsrelated.sources.folder import Addresses, base_of, files, read_text_bytes
from whatsrelated.sources.html_folder import HtmlFolder
from whatsrelated.sources.url_joins import UrlBase
from whatsrelated.stream import Refused


def made(root, *paths):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("<html>")
    return root


def target_of(addresses, base, href):
    return addresses.targets(UrlBase(base))[href.partition("#")[0]]


def listed(root):
    refused = Refused()
    return list(files(str(root), lambda path: path.endswith(".html"), refused)), refused.counts


def test_files_come_in_order_whatever_their_depth(tmp_path):
    made(tmp_path, "b.html", "a/z.html", "a/b/c.html", "a.html", "x.css", "a/.hidden/no.html")
    made(tmp_path, "node_modules/no.html", ".git/no.html")
    assert listed(tmp_path) == (["a.html", "b.html", "a/z.html", "a/b/c.html"], {})


def test_links_out_of_the_folder_and_in_circles_are_counted(tmp_path):
    inside = made(tmp_path / "in", "a.html", "sub/b.html")
    made(tmp_path / "out", "secret.html")
    (inside / "out").symlink_to(tmp_path / "out")
    (inside / "secret.html").symlink_to(tmp_path / "out" / "secret.html")
    (inside / "sub" / "up").symlink_to("..")
    (inside / "loop.html").symlink_to("loop.html")
    (inside / "gone.html").symlink_to("nothing.html")
    (inside / "same.html").symlink_to("a.html")
    found, counts = listed(inside)
    assert found == ["a.html", "same.html", "sub/b.html"]
    assert counts == {
        "symbolic links that lead outside the folder": 2,
        "links to folders": 1,
        "links to nothing": 2,
    }
    (tmp_path / "door").symlink_to("in")
    assert listed(tmp_path / "door")[0] == found


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_list_permission_is_counted(tmp_path):
    made(tmp_path, "a.html", "closed/b.html")
    (tmp_path / "closed").chmod(0)
    try:
        assert listed(tmp_path) == (["a.html"], {"folders not listed (Permission denied)": 1})
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_a_file_that_is_not_text_is_rejected_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "MAX_FILE", 1 << 20)
    (tmp_path / "large").write_bytes(b"x" * ((1 << 20) + 1))
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "sixteen").write_bytes("<html>ü</html>".encode("utf-16"))
    assert read_text_bytes(str(tmp_path / "sixteen"))
    for name, reason in [
        ("large", "files over 1 MB"),
        ("binary", "binary files"),
        ("absent", "files not read (No such file or directory)"),
    ]:
        with pytest.raises(ItemFailed) as refused:
            read_text_bytes(str(tmp_path / name))
        assert str(refused.value) == reason


SITE = ("index.html", "docs/index.html", "docs/intro.html", "docs/a b.html", "wiki/page?id=1")
BASE = "https://example.org/site/"


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("intro.html", "docs/intro.html"),
        ("intro.html#start", "docs/intro.html"),
        ("./x/../intro.html", "docs/intro.html"),
        ("intro", "docs/intro.html"),
        ("intro.html?v=2", "docs/intro.html"),
        ("a%20b.html", "docs/a%20b.html"),
        ("a b.html", "docs/a%20b.html"),
        (".", "docs/"),
        ("index.html", "docs/"),
        ("../docs", "docs/"),
        ("..", ""),
        ("../index.html", ""),
        ("../wiki/page?id=1", "wiki/page?id=1"),
        ("../wiki/page%3Fid=1", "wiki/page?id=1"),
        ("../wiki/page?id=2", "wiki/page?id=2"),
        ("absent.html", "docs/absent.html"),
        ("absent", "docs/absent"),
        ("https://example.org/site/docs/intro", "docs/intro.html"),
    ],
)
def test_a_link_leads_to_the_file_that_a_server_would_send(tmp_path, href, target):
    made(tmp_path, *SITE)
    addresses = Addresses(str(tmp_path), BASE)
    assert target_of(addresses, addresses.url("docs/index.html"), href) == BASE + target


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("intro.html", "docs/intro.html"),
        ("a%20b.html", "docs/a b.html"),
        (".", "docs/index.html"),
        ("../docs", "docs/index.html"),
        ("/docs/intro", "docs/intro.html"),
        ("../../../intro.html", "intro.html"),
        ("../wiki/page?id=1", "wiki/page?id=1"),
        ("../wiki/page?id=2", "wiki/page?id=2"),
        ("absent.html", "docs/absent.html"),
        ("//example.com/x", "https://example.com/x"),
        ("https://example.com", "https://example.com/"),
        ("mailto:anne@example.org", "mailto:anne@example.org"),
        ("x/..%2F..%2F..%2Fetc/passwd", "docs/x/../../../etc/passwd"),
    ],
)
def test_without_a_base_url_pages_are_named_by_their_paths(tmp_path, href, target):
    made(tmp_path, *SITE)
    addresses = Addresses(str(tmp_path))
    assert target_of(addresses, addresses.url("docs/index.html"), href) == target


def test_a_link_to_the_page_itself_is_empty(tmp_path):
    addresses = Addresses(str(tmp_path), BASE)
    for href in ("", "#here", "  "):
        assert target_of(addresses, addresses.url("a.html"), href) == ""


def test_text_that_is_not_an_address_is_rejected(tmp_path):
    addresses = Addresses(str(tmp_path), BASE)
    for href, reason in [("http://[x", "not a URL"), ("x" * 9000, "too long")]:
        with pytest.raises(BadName) as refused:
            target_of(addresses, addresses.url("a.html"), href)
        assert refused.value.reason == reason


def test_folders_named_after_hosts_are_separate_sites(tmp_path):
    made(tmp_path, "a.org/index.html", "a.org/x.html", "b.org/y.html")
    addresses = Addresses(str(tmp_path), base_of("https://"))
    assert addresses.name("a.org/index.html") == "https://a.org/"
    page = addresses.url("a.org/x.html")
    assert target_of(addresses, page, "https://b.org/y") == "https://b.org/y.html"
    assert target_of(addresses, page, "https://c.org/index.html") == "https://c.org/index.html"


def test_the_base_url_must_be_one():
    assert HtmlFolder(base_url="HTTPS://Example.org/docs").base() == "https://example.org/docs/"
    assert HtmlFolder().base() == ""
    for base_url in ("docs", "mailto:x@y", "https://example.org/?q"):
        with pytest.raises(OptionError, match="base_url must be a URL"):
            HtmlFolder(base_url=base_url).base()
