"""Where caches go, by the conventions of the system, and which path was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from whatsrelated.machine import places


def test_the_environment_names_the_folder_for_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert places.cache_folder() == tmp_path / "whatsrelated"


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", ".cache/whatsrelated"),
        ("darwin", "Library/Caches/whatsrelated"),
        ("win32", "AppData/Local/whatsrelated"),
    ],
)
def test_without_it_the_system_has_its_own_place(
    platform: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(places.Path, "home", lambda: tmp_path)
    monkeypatch.setattr(places.sys, "platform", platform)
    assert places.cache_folder() == tmp_path / expected


def test_a_mistyped_path_gets_the_nearest_name_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    assert places.similar_path(tmp_path / "vualt") == f"did you mean {tmp_path}/vault?"
    assert places.similar_path(tmp_path / "tea") == ""
    assert places.similar_path(tmp_path / "nowhere" / "tea") == ""
    (tmp_path / "broken").symlink_to("gone")
    assert places.similar_path(tmp_path / "broken") == "", "a link that leads nowhere is no help"
