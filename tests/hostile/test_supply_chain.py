"""Dependencies are bounded, listed, licensed and the same as those tested."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from tests.hostile.processes import related
from tests.system import TOP

STATIC = TOP / "src" / "whatsrelated" / "apps" / "serve" / "static"


def requirements() -> dict[str, str]:
    """What an installation may pull in, with its bounds."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    listed = [*project["dependencies"]]
    for name in extras.keys() - {"test"}:
        listed += [line for line in extras[name] if not line.startswith("whatsrelated")]
    found = {}
    for line in listed:
        name = re.match(r"[A-Za-z0-9._-]+", line)
        assert name is not None
        found[name[0]] = line[name.end() :].partition(";")[0]
    return found


def test_every_dependency_has_a_lower_and_an_upper_bound() -> None:
    lacking = [name for name, told in requirements().items() if ">=" not in told or "<" not in told]
    assert lacking == []


def test_every_bound_has_its_reason() -> None:
    """A comment on the line, in pyproject.toml."""
    lines = (TOP / "pyproject.toml").read_text().splitlines()
    for name in requirements():
        line = next(line for line in lines if re.match(rf'\s*"{re.escape(name)}[>=<"]', line))
        assert "#" in line, line


def test_installed_versions_are_within_the_bounds() -> None:
    packaging = pytest.importorskip("packaging.specifiers")
    for name, told in requirements().items():
        version = metadata.version(name)
        assert packaging.SpecifierSet(told).contains(version, prereleases=True), name


def test_the_version_includes_that_of_the_public_suffix_list() -> None:
    told = related("--version")
    assert re.search(r"public suffix(es| list).*\d", told.out), told.out


def test_vendored_code_is_the_code_that_was_looked_at() -> None:
    minified = [file.name for file in STATIC.glob("*.min.*")]
    assert minified == []


PERMISSIVE = re.compile(r"MIT|BSD|Apache|MPL|PSF|ISC|Python Software|Unlicense|0BSD", re.I)


def test_every_dependency_has_a_licence_that_allows_our_use() -> None:
    for name in requirements():
        told = metadata.metadata(name)
        texts = [told.get("License-Expression") or "", (told.get("License") or "")[:200]]
        texts += [each for each in told.get_all("Classifier") or [] if "License" in each]
        files = [file.locate() for file in metadata.files(name) or [] if is_licence(file)]
        texts += [Path(file).read_text()[:300] for file in files if Path(file).exists()]
        assert PERMISSIVE.search(" ".join(texts)), f"{name}: {texts}"


def is_licence(file: metadata.PackagePath) -> bool:
    return file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING"))


def test_the_package_has_a_bill_of_materials() -> None:
    """PEP 770: `.dist-info/sboms/`, made by the build from what is there."""
    files = [file for file in metadata.files("whatsrelated") or [] if "sboms" in file.parts]
    assert [file.name for file in files] == ["whatsrelated.cdx.json"]
    bill = json.loads(files[0].read_text())
    assert bill["metadata"]["component"]["version"] == metadata.version("whatsrelated")
    assert bill["components"] == [], "nothing of others is in the package"


def test_every_promise_names_a_test_that_is_there() -> None:
    text = (TOP / "SECURITY.md").read_text()
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text)
    assert len(named) > 10
    for file, test in named:
        assert (TOP / file).is_file(), file
        assert not test or f"def {test}(" in (TOP / file).read_text(), f"{file}::{test}"
    assert Path(TOP / "SECURITY.md").stat().st_size < 20_000
