"""A source is read alone: no other file is opened, and no host is contacted.

An audit hook of Python reports every file that is opened and every connection.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.fuzz.run import CORPUS, seeds
from tests.hostile.processes import python
from tests.system import TOP
from whatsrelated.sources import READERS

AUDITED = """
import os, sys
from whatsrelated.sources import READERS, open_sources
from whatsrelated.sources.reader import ReadOptions
from whatsrelated.errors import RelatedError
from tests.hostile.readers import in_this_process
from whatsrelated.machine import workers
workers.results = in_this_process
secret, *sources = sys.argv[1:]
reader = ""
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
        if os.path.realpath(os.fsdecode(arguments[0])).startswith(secret + os.sep):
            print(reader, "opened", arguments[0])
    elif event in ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system"):
        print(reader, event, *arguments)
sys.addaudithook(hook)
for source in sources:
    reader, _, path = source.partition(":")
    try:
        for _ in open_sources([path], ReadOptions(format=reader)):
            pass
    except RelatedError:
        pass
"""
SECRET = '[[secret]] [secret](secret.md) <a href="secret.html">secret</a>\n`secret <secret.rst>`_\n'
DOCTYPE = (
    '<?xml version="1.0"?><!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd" '
    '[<!ENTITY e SYSTEM "file:../secret/a.md">]>'
)
REFERRING: dict[str, dict[str, str]] = {
    "mkdocs": {"mkdocs.yml": "site_name: x\ndocs_dir: ../secret\n", "docs/index.md": "[x](a.md)"},
    "hugo": {
        "hugo.toml": 'contentDir = "../secret"\n[[module.mounts]]\nsource = "../secret"\n',
        "content/a.md": "[x](b.md) {{< readfile ../secret/a.md >}}",
    },
    "jekyll": {
        "_config.yml": "source: ../secret\ncollections_dir: ../secret\n",
        "_posts/2026-01-01-a.md": "---\ntitle: a\n---\n{% include ../secret/a.md %} [x](b.md)",
    },
    "docusaurus": {
        "docusaurus.config.js": 'module.exports = {docs: {path: "../secret"}}',
        "docs/a.md": "import X from '../../secret/a.md'\n\n[x](b.md)",
    },
    "rst": {
        "conf.py": "import os\nos.system('true')\n",
        "index.rst": ".. include:: ../secret/a.rst\n\n.. toctree::\n\n   ../secret/a\n",
    },
    "asciidoc": {"a.adoc": "= A\ninclude::../secret/a.adoc[]\nlink:b.adoc[b]\n"},
    "obsidian": {
        ".obsidian/app.json": '{"attachmentFolderPath": "../secret"}',
        "a.md": "[[b]] ![[../secret/a]] [x](../secret/a.md)",
    },
    "logseq": {
        "logseq/config.edn": '{:pages-directory "../../secret"}',
        "pages/a.md": "- [[b]] {{embed ((../secret/a))}}",
    },
    "html": {
        "a.html": '<base href="file:../secret/"><a href="a.html">x</a><iframe src="a.html">',
        "b.html": '<meta http-equiv=refresh content="0;url=../secret/a.html">',
    },
    "graphml": {"a.graphml": f'{DOCTYPE}<graphml><graph><node id="&e;"/></graph></graphml>'},
    "sitemap": {"sitemap.xml": f"{DOCTYPE}<urlset><url><loc>http://a.org/&e;</loc></url></urlset>"},
}


def outside(secret: Path, **sources: Path) -> list[str]:
    """What reading these sources, by reader, opens in the folder `secret`, runs or contacts."""
    given = [f"{reader}:{path}" for reader, path in sources.items()]
    done = python(AUDITED, secret, *given, environment={"PYTHONPATH": str(TOP)})
    assert done.status == 0, done
    return done.out.splitlines()


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    folder = tmp_path / "secret"
    folder.mkdir()
    for suffix in ("md", "html", "rst", "adoc"):
        (folder / f"a.{suffix}").write_text(SECRET)
    return folder


def test_what_a_source_refers_to_outside_itself_is_not_read(secret: Path, tmp_path: Path) -> None:
    sources = {}
    for reader, files in REFERRING.items():
        folder = tmp_path / reader
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        sources[reader] = folder if READERS[reader].folders else next(folder.iterdir())
    assert outside(secret, **sources) == []


def test_links_in_a_folder_lead_to_no_other_file(secret: Path, tmp_path: Path) -> None:
    sources = {}
    for reader in READERS.ours:
        if not READERS[reader].folders:
            continue
        folder = sources[reader] = tmp_path / reader
        shutil.copytree(CORPUS / "readers" / reader, folder)
        for name in seeds(f"readers/{reader}"):
            file = folder / name
            planted = secret / f"{reader}{file.suffix}"
            shutil.copy(file, planted)
            linked = file.with_name(f"linked{file.suffix}")
            linked.unlink(missing_ok=True)
            linked.symlink_to(planted)
        (folder / "elsewhere").symlink_to(secret)
    assert outside(secret, **sources) == []


def test_the_audit_notices_a_file(secret: Path) -> None:
    assert outside(secret, markdown=secret)[0].startswith("markdown opened ")
