"""Every error is also a built-in exception, and carries what a program needs.

What an error advises is run here, as it stands in the message.
"""

from __future__ import annotations

import shlex
import zipfile
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.cli.commands import LINKS, related
from whatsrelated import errors


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (errors.PageNotFound, LookupError),
        (errors.OptionError, ValueError),
        (errors.GraphFormatError, ValueError),
        (errors.ReadError, ValueError),
        (errors.BuildError, OSError),
        (errors.NotConverged, ArithmeticError),
        (errors.MissingExtra, ImportError),
    ],
)
def test_an_error_can_be_caught_as_ours_or_as_the_builtin(
    error: type[Exception], builtin: type[Exception]
) -> None:
    assert issubclass(error, errors.RelatedError)
    assert issubclass(error, builtin)
    assert str(error("What, the value, the fix.")) == "What, the value, the fix."


def test_an_error_carries_what_a_program_needs() -> None:
    missing = errors.PageNotFound("No page.", asked="x", nearest="y")
    assert (missing.asked, missing.nearest) == ("x", "y")
    lost = errors.NotConverged("No.", rounds=3, residual=0.5)
    assert (lost.rounds, lost.residual) == (3, 0.5)


def advised(message: str) -> list[str]:
    """The words of the command that a message ends with."""
    return shlex.split(message.strip().rpartition(": related ")[2])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a vault, a list of links, a bad archive, and a folder without pages."""
    for name, other in (("Tea", "Coffee"), ("Coffee", "Tea"), ("Milk", "Tea")):
        (tmp_path / "vault").mkdir(exist_ok=True)
        (tmp_path / "vault" / f"{name}.md").write_text(f"# {name}\n\n[[{other}]] [[Tea]]\n")
    (tmp_path / "links.tsv").write_text(LINKS)
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "picture.xyz").write_text("x")
    with zipfile.ZipFile(tmp_path / "bad.wacz", "w") as packed:
        packed.writestr("links.tsv", LINKS)
    return tmp_path


@pytest.mark.parametrize("verb", [["gaps"], ["site"], ["mcp"], ["serve", "--port", "0"], []])
def test_a_mistyped_folder_is_answered_with_the_right_one(verb: list[str], place: Path) -> None:
    done = related(*verb, "vualt", cwd=place)
    assert done.returncode == 2
    assert done.stderr.strip().endswith("did you mean vault?")


def test_the_error_for_a_folder_without_pages_suggests_no_option_that_gaps_lacks(
    place: Path,
) -> None:
    done = related("gaps", "plain", cwd=place)
    assert done.returncode == 2
    assert "plain has no pages or notes, such as HTML or Markdown files; give the" in done.stderr
    assert "--format" not in done.stderr
    assert related("gaps", "vault", cwd=place).returncode == 0


def test_the_site_of_a_vault_can_be_written_as_data_as_the_error_says(place: Path) -> None:
    done = related("site", "vault", cwd=place)
    assert done.returncode == 2
    assert "without HTML pages" in done.stderr
    again = related(*advised(done.stderr), cwd=place)
    assert again.returncode == 0, again.stderr
    assert "Tea" in (place / "related.json").read_text()
    plain = related("site", "plain", cwd=place)
    assert "plain has no HTML pages; give the folder that your site generator" in plain.stderr


def test_a_bad_wacz_is_reported_as_one_and_can_be_read_as_a_zip_file(place: Path) -> None:
    done = related("build", "bad.wacz", cwd=place)
    assert done.returncode == 2
    assert "bad.wacz is not a WACZ file: it has no archive/*.warc.gz." in done.stderr
    assert "give it a name that ends in .zip" in done.stderr
    (place / "bad.wacz").rename(place / "bad.zip")
    assert related("build", "bad.zip", cwd=place).returncode == 0


def test_a_list_of_names_in_an_archive_gets_no_advice_that_cannot_work(place: Path) -> None:
    (place / "names.txt").write_text("tea\ncoffee\nmilk\n")
    alone = related("build", "names.txt", cwd=place)
    assert "--names-file names.txt" in alone.stderr
    with zipfile.ZipFile(place / "names.zip", "w") as packed:
        packed.write(place / "names.txt", "names.txt")
    packed_names = related("build", "names.zip", cwd=place)
    assert packed_names.returncode == 2
    assert "--names-file" not in packed_names.stderr


def test_a_missing_source_gets_the_nearest_name_or_a_command_that_works(place: Path) -> None:
    near = related("build", "lnks.tsv", cwd=place)
    assert near.stderr == "related: No file or folder lnks.tsv; did you mean links.tsv?\n"
    far = related("build", "nosuch.parquet", cwd=place)
    assert "No file or folder nosuch.parquet. Check the path, or" in far.stderr
    assert advised(far.stderr) == ["demo"]
    assert related("demo", cwd=place).returncode == 0
    address = related("build", "https://example.org/tea", cwd=place)
    assert advised(address.stderr) == ["crawl", "https://example.org/tea"]


def test_an_unknown_file_is_named_with_a_command_that_takes_its_format(place: Path) -> None:
    (place / "x.mat").write_bytes(bytes(range(32)) * 20)
    done = related("build", "x.mat", cwd=place)
    words = advised(done.stderr)
    assert words == ["build", "x.mat", "--format", "NAME"]
    again = related(*words[:-1], "columns", cwd=place)
    assert "known format" not in again.stderr


def test_an_unknown_page_is_answered_with_the_verb_that_lists_pages(place: Path) -> None:
    done = related("to", "-g", "sample", "zzzz", cwd=place)
    assert done.returncode == 1
    assert "related pages -g sample lists all pages" in done.stderr
    listed = related("pages", "-g", "sample", cwd=place)
    assert listed.returncode == 0
    assert "https://www.nytimes.com/" in related("pages", "-g", "sample", "york", cwd=place).stdout


def test_python_lists_every_option_of_a_query_and_suggests_one() -> None:
    graph = wr.open("sample")
    with pytest.raises(errors.OptionError, match="did you mean limit") as found:
        graph.related("www.nytimes.com", limt=3)
    assert all(name in str(found.value) for name in ("limit", "new", "only", "parents"))
    assert len(graph.related("www.nytimes.com", limit=3)) == 3
