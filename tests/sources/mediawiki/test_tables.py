"""Tables as mysqldump writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import write
from whatsrelated.errors import ReadError
from whatsrelated.sources.files import File
from whatsrelated.sources.mediawiki.tables import DumpTable, text_of
from whatsrelated.sources.reader import ReadContext

DUMP = (
    "-- MySQL dump\nDROP TABLE IF EXISTS `page`;\nCREATE TABLE `page` (\n"
    "  `page_id` int(8) unsigned NOT NULL,\n  `page_title` varbinary(255) NOT NULL,\n"
    "  `page_random` double,\n  PRIMARY KEY (`page_id`),\n  KEY `x` (`page_title`)\n) ENGINE=x;\n"
    "INSERT INTO `page` VALUES (1,'Tea',0.5),(2,'It\\'s_\\\\(a),(b)',NULL);\n"
    "INSERT INTO `page` VALUES (3,'M''s',1e-05);\n"
)


def test_columns_are_those_of_the_table(tmp_path: Path) -> None:
    table = DumpTable(File(write(tmp_path / "x.sql", DUMP)))
    assert (table.name, table.columns) == ("page", ["page_id", "page_title", "page_random"])
    rows = list(table.rows(("page_title", "page_id"), ReadContext()))
    assert [(text_of(title), int(number)) for title, number in rows] == [
        ("Tea", 1),
        ("It's_\\(a),(b)", 2),
        ("M's", 3),
    ]
    with pytest.raises(ReadError, match="the table page has no column page_x; it has: page_id"):
        list(table.rows(("page_x",), ReadContext()))


def test_damaged_rows_are_counted(tmp_path: Path) -> None:
    text = DUMP.replace("(2,'It", "(2,It").replace("(3,'M''s'", "(3,'M")
    context = ReadContext()
    table = DumpTable(File(write(tmp_path / "x.sql", text)))
    assert [row[0] for row in table.rows(("page_id",), context)] == [b"1"]
    assert context.refused.counts == {"not a row of the table": 2}


def test_numbers_are_read_a_line_at_a_time(tmp_path: Path) -> None:
    text = (
        "CREATE TABLE `pagelinks` (\n  `pl_from` int,\n  `pl_target_id` bigint\n);\n"
        "INSERT INTO `pagelinks` VALUES (1,2),(3,-4);\nINSERT INTO `pagelinks` VALUES (1,'x');\n"
        "INSERT INTO `pagelinks` VALUES (1,2),(3);\n"
    )
    context = ReadContext()
    table = DumpTable(File(write(tmp_path / "x.sql", text)))
    found = [
        [column.tolist() for column in columns]
        for columns in table.numbers(("pl_target_id", "pl_from"), context)
    ]
    assert found == [[[2, -4], [1, 3]]]
    assert context.refused.counts == {"not a row of the table": 2}
