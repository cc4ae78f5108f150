"""The reports in docs/ have the tables that their scripts print."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import xh14

DOCS = Path(__file__).parent.parent / "docs" / "reports"


def test_the_report_on_mbcc_has_the_tables_that_its_script_prints(
    shared: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["xh14", str(shared / "data" / "toronto")])
    xh14.main()
    printed = capsys.readouterr().out.strip()
    assert (DOCS / "mbcc.md").read_text(encoding="utf-8").strip().endswith(printed)
