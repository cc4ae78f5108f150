"""The files of the page: all of them, under addresses that change when they do."""

from __future__ import annotations

import re
from importlib import resources

from tests.apps.serve import Client
from whatsrelated.apps.serve import static


def test_files_of_the_page_are_kept_for_ever_under_their_checksum(client: Client) -> None:
    address = re.findall(r'src="(static/page.js[^"]+)"', client.get("/").text)[0]
    answer = client.get(address)
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")


def test_every_file_of_the_package_is_served_under_its_own_media_type(client: Client) -> None:
    folders = [
        resources.files(package) / "static" for package in (static.PACKAGE, "whatsrelated.contract")
    ]
    files = {each.name: each for folder in folders for each in folder.iterdir()}
    assert static.paths() == sorted(f"/static/{name}" for name in files)
    for name, file in files.items():
        answer = client.get(static.address(name))
        assert answer.content == file.read_bytes()
        assert answer.headers["content-type"] == static.MEDIA_TYPES[name[name.index(".") :]]
