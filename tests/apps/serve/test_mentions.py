"""Mentions over HTTP, and links that are accepted on the page of gaps."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.apps.mentions.sites import vault
from tests.apps.serve import serving
from tests.cli.commands import related
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.tokens import Token, Tokens, digest
from whatsrelated.errors import OptionError

TOKEN = "open-sesame-42"
ALLOWED = {"authorization": f"Bearer {TOKEN}"}
LINK = {"source": "plain.md", "target": "kettle.md"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    wr.build([vault(tmp_path / "site")], tmp_path / "site.graph").close()
    return tmp_path / "site.graph"


def test_mentions_have_their_place_and_sentence(site: Path) -> None:
    with serving(site) as client:
        found = client.get("/api/mentions?url=kettle.md").json()
        again = client.get("/api/mentions?url=plain.md&limit=1").json()
    (one,) = [each for each in found["incoming"] if each["file"] == "plain.md"]
    assert (one["line"], one["column"], one["anchor"]) == (3, 10, "kettle")
    assert one["before"].endswith("Fill the ")
    assert len(again["outgoing"]) == 1


def test_text_is_not_shown_to_other_machines_or_without_a_folder(site: Path) -> None:
    with serving(site, hosts="127.0.0.1,docs.example.org") as client:
        found = client.get("/api/mentions?url=kettle.md").json()
    assert (found["incoming"], found["outgoing"]) == ([], [])
    assert found["notes"] == ["The text of the pages is shown only to users of this machine."]
    with serving(wr.Graph.from_links([("a", "b"), ("b", "a")])) as client:
        assert "from one folder" in client.get("/api/mentions?url=a").json()["notes"][0]


def test_accepted_links_are_in_the_patch_and_marked_on_the_page(site: Path, tmp_path: Path) -> None:
    patch = tmp_path / "links.patch"
    folder = tmp_path / "site"
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with serving(site, TOKEN, accept_into=str(patch)) as client:
        page = client.get("/gaps?sources=plain.md", headers=ALLOWED).text
        assert "Fill the <mark>kettle</mark>, then warm the teapot." in page
        assert "Accepted</button>" not in page
        for _ in range(2):
            reply = client.post("/accept", json=LINK, headers=ALLOWED).json()
            assert (reply["links"], reply["files"]) == (1, 1)
        other = {**LINK, "target": "teapot.md"}
        assert client.post("/accept", json=other, headers=ALLOWED).json()["links"] == 2
        page = client.get("/gaps?sources=plain.md", headers=ALLOWED).text
        assert page.count("disabled>Accepted</button>") == 2
        assert client.get("/accept", headers=ALLOWED).content == patch.read_bytes()
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    subprocess.run(["git", "apply", "--check", patch], cwd=folder, check=True)
    subprocess.run(["git", "apply", patch], cwd=folder, check=True)
    text = (folder / "plain.md").read_text()
    assert "Fill the [kettle](kettle.md), then warm the [teapot](teapot.md)." in text


def test_accepting_needs_the_option_the_token_and_this_site(site: Path, tmp_path: Path) -> None:
    patch = tmp_path / "links.patch"
    with serving(site, TOKEN) as client:
        assert client.post("/accept", json=LINK, headers=ALLOWED).status_code == 404
        assert 'class="accept"' not in client.get("/gaps", headers=ALLOWED).text
    with serving(site, accept_into=str(patch)) as client:
        assert client.post("/accept", json=LINK).status_code == 404
    reader = Tokens({digest(TOKEN.encode()): Token("anna", read_only=True)})
    with serving(site, reader, accept_into=str(patch)) as client:
        assert client.post("/accept", json=LINK, headers=ALLOWED).status_code == 403
    with serving(site, TOKEN, accept_into=str(patch)) as client:
        assert client.post("/accept", json=LINK).status_code == 401
        for headers, body, status in (
            ({"sec-fetch-site": "cross-site"}, LINK, 403),
            ({"content-type": "text/plain"}, LINK, 415),
            ({}, {"source": "plain.md"}, 400),
            ({}, {**LINK, "source": "../../etc/passwd"}, 400),
            ({}, {**LINK, "target": "sugar.md"}, 400),
        ):
            reply = client.post("/accept", json=body, headers={**ALLOWED, **headers})
            assert reply.status_code == status, reply.text
    assert not patch.exists()


def test_a_file_that_is_not_such_a_patch_is_kept(site: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("my notes\n")
    with serving(site, TOKEN, accept_into=str(tmp_path / "notes.txt")) as client:
        assert client.post("/accept", json=LINK, headers=ALLOWED).status_code == 400
    assert (tmp_path / "notes.txt").read_text() == "my notes\n"


def test_the_options_that_would_expose_it_are_refused(site: Path) -> None:
    for wrong in ({"host": "0.0.0.0"}, {"workers": 2}, {"cors": "*"}, {"root_path": "/docs"}):
        with pytest.raises(OptionError, match="--accept-into works only on a loopback address"):
            Settings(accept_into="links.patch", **wrong)
    done = related("serve", site, "--accept-into", "links.patch")
    assert done.returncode == 2
    assert "--accept-into needs a token" in done.stderr
