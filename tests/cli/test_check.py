"""`related check`: every byte of a graph."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import related


def test_check_reports_ok_or_the_fault(folder: Path, tmp_path: Path) -> None:
    assert related("check", cwd=folder).stdout == "4 pages and 4 links: no damage found.\n"
    related("build", str(folder / "links.tsv"), "-o", str(tmp_path / "bad.graph"))
    file = tmp_path / "bad.graph" / "generation-000001" / "in.links.npy"
    data = bytearray(file.read_bytes())
    data[-4] ^= 1
    file.write_bytes(bytes(data))
    done = related("check", "--graph", str(tmp_path / "bad.graph"))
    assert done.returncode == 2
    assert "in.links.npy has changed since it was written" in done.stderr
