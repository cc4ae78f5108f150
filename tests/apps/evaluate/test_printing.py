"""`related evaluate` rejects outputs that it cannot write before it starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from whatsrelated.apps.evaluate.printing import Output
from whatsrelated.errors import OptionError


@pytest.mark.parametrize("field", ["per_query", "report"])
def test_a_file_without_a_folder_is_refused_before_the_work(field: str, tmp_path: Path) -> None:
    Output(**{field: str(tmp_path / "there")}).check()
    with pytest.raises(OptionError, match="cannot be written: its folder does not exist"):
        Output(**{field: str(tmp_path / "no" / "where")}).check()
