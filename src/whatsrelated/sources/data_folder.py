"""A folder of data files, as Spark, DuckDB, pandas and Hugging Face write them.

It is read file by file, like the files of an archive. A folder counts as one only if it has nothing
but data files, apart from what these programs and their users put beside them: markers such as
`_SUCCESS`, a README and a licence.
"""

from __future__ import annotations

import os
import re

from whatsrelated.sources.files import File
from whatsrelated.sources.folder import files
from whatsrelated.sources.folder_reader import sample_files
from whatsrelated.stream import Refused

_DATA = re.compile(
    r"(?:.*/)?[^_/][^/]*\.(?:parquet|csv|tsv|json|jsonl|ndjson)(?:\.(?:gz|bz2|xz|zst))?"
    r"|(?:.*/)?part[-_]\d[^/]*",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"(?:.*/)?(?:_[^/]*(?:/.*)?|readme[^/]*|licen[cs]e[^/]*|citation[^/]*|manifest[^/]*)",
    re.IGNORECASE,
)


def data_files(folder: File, refused: Refused) -> list[File]:
    """The files of a folder of data files; empty for any other folder."""
    root = os.path.realpath(folder.path)
    if not all(_is_data(path) or _BESIDE.fullmatch(path) for path in sample_files(root)):
        return []
    data_files = []
    for path in files(root, _is_data, refused):
        file = File(f"{root}/{path}")
        file.label, file.origin = f"{folder.label}/{path}", folder.origin
        data_files.append(file)
    return data_files


def _is_data(path: str) -> bool:
    return _DATA.fullmatch(path) is not None and _BESIDE.fullmatch(path) is None
