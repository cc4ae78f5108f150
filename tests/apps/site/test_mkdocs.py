"""The plug-in in a build by MkDocs itself."""

from __future__ import annotations

import subprocess
import sys

from tests.apps.notes import write_pages
from tests.apps.site.test_run import listed

CONFIG = """
site_name: Drinks
plugins:
  - search
  - related:
      limit: {limit}
      skip: ["lemon/*"]
"""


def build(folder, limit=4):
    write_pages(folder / "docs", "{name}.md")
    (folder / "mkdocs.yml").write_text(CONFIG.format(limit=limit))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_mkdocs_writes_lists(tmp_path):
    done = build(tmp_path)
    assert done.returncode == 0, done.stderr
    items = listed(tmp_path / "site", "green/index.html")
    assert ("../black/", "Black") in [item[:2] for item in items]
    assert len(items) <= 4
    assert not any("lemon" in href for href, _, _ in items)
    assert "related-pages" not in (tmp_path / "site" / "404.html").read_text()
    assert "related-pages" not in (tmp_path / "site" / "lemon" / "index.html").read_text()


def test_a_wrong_setting_is_one_sentence(tmp_path):
    done = build(tmp_path, limit=0)
    assert done.returncode != 0
    assert "related: site: limit must be at least 1, got 0." in done.stderr
