"""An output begun by an earlier version can be continued, even if options were added since."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.apps.batch.outputs import answer
from whatsrelated.api import Graph
from whatsrelated.apps.batch.comparison import compare_outputs
from whatsrelated.apps.batch.manifest import completed
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options
from whatsrelated.query.request import Request


def forget(manifest: Path, *options: str) -> None:
    """Rewrite the manifest as a version without these options would."""
    found = json.loads(manifest.read_text())
    for name in options:
        del found["options"][name]
    manifest.write_text(json.dumps(found))


def test_options_that_were_added_with_their_defaults_change_nothing(
    web: Graph, tmp_path: Path
) -> None:
    output = tmp_path / "all.parquet"
    answer(web, output)
    (manifest,) = output.glob("*.json")
    added = {*declared_options(Request), *declared_options(METHODS["cocitation"])} - {"clusters"}
    forget(manifest, *added)
    (output / "part-000003.parquet").unlink()
    assert answer(web, output).pages == 150
    with pytest.raises(OptionError, match="options new was false, is now true"):
        answer(web, output, new=True)
    with pytest.raises(OptionError, match=r"options parents was .*, is now 7"):
        answer(web, output, parents=7)


def test_an_added_option_does_not_make_two_outputs_differ(web: Graph, tmp_path: Path) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    answer(web, old, limit=3)
    answer(web, new, limit=3)
    (manifest,) = old.glob("*.json")
    forget(manifest, "new", "parents")
    assert compare_outputs(old, new).settings == []


def test_a_renamed_option_keeps_its_value() -> None:
    (name, former), *_ = (
        (name, next(iter(one.formerly)))
        for name, one in declared_options(Request).items()
        if one.formerly
    )
    manifest = completed({"by": "walk", "options": {former: True}})
    assert manifest["options"][name] is True
    assert former not in manifest["options"]


def test_the_method_of_a_package_that_is_not_installed_has_no_defaults() -> None:
    assert completed({"by": "magic", "options": {"wand": 1}})["options"]["wand"] == 1
