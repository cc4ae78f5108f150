"""The docs cover the product, every example in them runs, and nothing in the tree is private."""

from __future__ import annotations

import doctest
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from docs import chart, tables
from tests.terminal import Shell

TOP = tables.TOP
PAGES = {str(page.relative_to(TOP)): page.read_text(encoding="utf-8") for page in tables.pages()}
README = PAGES["README.md"]
COMMAND_LINE = PAGES["docs/reference/command-line.md"]
SAID = "\n".join(PAGES.values())
FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
CITED = re.compile(r"\b[A-Z][A-Za-z]{1,2}[0-9]{2}\b")
REGISTRIES = re.compile(r"py" r"pi\.org|python" r"hosted\.org|npm" r"js\.org|crates" r"\.io")
MACHINE_PATHS = re.compile(r"(?<![\w.:/])/(?:root|home|work|Users|opt)/\w")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its info string and its contents."""

    kind: str
    remark: str
    text: str


def blocks(text: str) -> Iterator[Block]:
    for _, info, body in FENCE.findall(text):
        kind, _, remark = info.strip().partition(" ")
        yield Block(kind, remark.strip(), body)


def files() -> list[Path]:
    """Every text file of the tree."""
    if (TOP / ".git").exists():
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(listed, cwd=TOP, capture_output=True, text=True, check=True).stdout
        found = [TOP / name for name in names.split("\0") if name]
    else:
        found = [path for path in TOP.rglob("*") if not {".venv", "build"} & set(path.parts)]
    return [path for path in found if path.is_file()]


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


# The docs cover what exists.


@pytest.mark.parametrize("name", tables.methods_by_name())
def test_a_method_has_a_page_and_a_line_in_the_index(name: str) -> None:
    page = f"explanation/methods/{name}.md"
    assert f"<!-- options of {name} -->" in PAGES.get(f"docs/{page}", "no page")
    assert f"\n- [{name}]({page})" in PAGES["docs/index.md"]


def test_every_rank_is_documented() -> None:
    ranks = tables.ranks_by_name()
    assert [name for name in ranks if f"<!-- options of rank {name} -->" not in SAID] == []


@pytest.mark.parametrize("name", tables.verbs())
def test_a_verb_has_a_section(name: str) -> None:
    assert f"\n## related {name}\n" in COMMAND_LINE
    assert f"<!-- options of related {name} -->" in COMMAND_LINE


@pytest.mark.parametrize("name", tables.verbs())
def test_every_option_of_a_verb_is_documented(name: str) -> None:
    """In the section of the verb, or in the table of every method, rank and so on that has it.

    `--generation` and `--verify` come with `--graph`.
    """
    sections = re.split(r"^## ", COMMAND_LINE, flags=re.MULTILINE)
    (section,) = [each for each in sections if each.startswith(f"related {name}\n")]
    implied = tables.WITH_GRAPH if "Also `--graph`" in section else ()
    missing = [
        tables.flag_of(option)
        for option in tables.options_of(tables.verbs()[name])
        if tables.flag_of(option) not in implied
        and f"`{tables.flag_of(option)}`" not in section
        and not listed_with_its_owners(option)
    ]
    assert missing == []


def test_a_verb_that_lists_only_the_graph_has_its_generation_and_verification() -> None:
    for name, command in tables.verbs().items():
        rows = tables.shared_by_verbs()
        options = {one for one in tables.options_of(command) if not tables.owners_of(one)}
        flags = {tables.flag_of(one) for one in options if tuple(tables._flag_row(one)) in rows}
        assert "--graph" not in flags or flags.issuperset(tables.WITH_GRAPH), name


def listed_with_its_owners(option: click.Option) -> bool:
    """Whether the tables of all owners of an option list it; readers share one table."""
    name = re.escape(option.name or "")
    row = re.compile(rf"^(\| `{name}`( \(.*\))? \||Also .*`{name}`)", re.MULTILINE)
    names = tables.owners_of(option)
    markers = {"readers" if name.startswith("format ") else name for name in names}
    made = [table_of(marker) for marker in markers]
    return bool(made) and all(map(row.search, made))


def table_of(name: str) -> str:
    """The table of options behind this marker, on whichever page it is."""
    return SAID.partition(f"<!-- options of {name} -->")[2].partition("<!-- end -->")[0]


@pytest.mark.parametrize(
    "name", ["every method", "every build", "readers", "several verbs", "several ranks"]
)
def test_what_all_share_has_a_table(name: str) -> None:
    assert f"<!-- options of {name} -->" in SAID


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_of_a_page_are_as_the_code_has_them(page: str) -> None:
    assert tables.renewed(PAGES[page]) == PAGES[page], "make docs writes them anew"


def test_the_chart_shows_the_figures_of_its_table() -> None:
    page = PAGES["docs/explanation/evaluation.md"]
    assert len(chart.ROW.findall(page)) == 9
    assert chart.IMAGE.read_text(encoding="utf-8") == chart.chart(page), "make docs draws it again"
    assert chart.chart(page.replace("0.603", "0.613")) != chart.chart(page)


def test_every_error_is_documented() -> None:
    assert "<!-- errors -->" in SAID
    assert [name for name in tables.errors_by_name() if f"`{name}`" not in SAID] == []


def test_every_route_of_the_server_is_documented() -> None:
    assert "<!-- routes -->" in SAID
    assert [path for path in tables.routes_by_path() if f"`{path}`" not in SAID] == []


# What the docs say is true.


def runs(block: Block) -> bool:
    return block.kind in ("console", "python") and not block.remark


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with its expected output."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found and line.startswith("> ") and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", "")
        else:
            assert found, f"A console block begins with a command, got {line!r}."
            found[-1] = (found[-1][0], f"{found[-1][1]}{line.rstrip()}\n")
    return found


def agrees(printed: str, said: str) -> bool:
    """Whether a text matches the expected one; `...` matches anything."""
    parts = [re.escape(part) for part in said.strip().split("...")]
    return re.fullmatch(".*".join(parts), printed.strip(), re.DOTALL) is not None


def run_python(text: str, names: dict[str, object], page: str) -> None:
    if not text.startswith(">>>"):
        exec(compile(text, page, "exec"), names)
        return
    example = doctest.DocTestParser().get_doctest(text, names, page, page, 0)
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(example, out=told.append, clear_globs=False)
    names.update(example.globs)
    assert not told, "".join(told)


@pytest.mark.parametrize(
    "page", [page for page, text in PAGES.items() if any(map(runs, blocks(text)))]
)
def test_the_examples_of_a_page_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in filter(runs, blocks(PAGES[page])):
        if block.kind == "python":
            run_python(block.text, names, page)
            continue
        asked = commands(block.text)
        printed = shell.outputs([command for command, _ in asked])
        for (command, said), got in zip(asked, printed, strict=True):
            assert agrees(got, said), f"$ {command}\n{got}\nwas said to be\n{said}"


def test_an_example_that_prints_something_else_is_found() -> None:
    assert agrees("1  a\n2  b\n", "1  a\n2  b\n")
    assert agrees("1  a\n2  b\n3  c\n", "1  a\n...\n3  c\n")
    assert not agrees("1  a\n2  b\n", "1  a\n2  c\n")
    assert not agrees("1  a\n2  b\n", "1  a\n")


@pytest.mark.parametrize("page", PAGES)
def test_no_command_escapes_being_run_without_a_reason(page: str) -> None:
    for block in blocks(PAGES[page]):
        if runs(block) or block.remark.startswith("not run: "):
            continue
        assert block.remark == "", f"A fence of {page} says {block.remark!r}."
        assert not re.search(r"^(\$ )?related ", block.text, re.MULTILINE), block.text


PYTHON_DOC = Path("/usr/share/doc/python3-doc/html")


@pytest.mark.needs_system("python3-doc")
def test_the_answers_for_python_s_documentation_are_those_of_the_table(tmp_path: Path) -> None:
    if "3.11.2" not in (PYTHON_DOC / "index.html").read_text():
        pytest.skip("the table is that of the documentation of Python 3.11.2")
    page = PAGES["docs/reports/templates.md"]
    (block,) = [
        one for one in blocks(page) if one.remark == "not run: it needs Debian's python3-doc"
    ]
    columns = []
    for command, _ in commands(block.text):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=Shell(tmp_path).environment,
            capture_output=True,
            text=True,
            check=True,
        )
        if command.startswith("related to "):
            names = [line.split("\t")[2] for line in done.stdout.splitlines()[1:]]
            columns.append([re.sub(r"^https://|^library/|/$|\.html$", "", name) for name in names])
    rows = [f"| {' | '.join(row)} |" for row in zip(*columns, strict=True)]
    assert len(rows) == 10
    assert "\n".join(rows) in page


def test_every_citation_has_its_paper() -> None:
    known = set(re.findall(r"^\*\*(\w+)\*\*$", PAGES["docs/explanation/papers.md"], re.MULTILINE))
    read = [path for path in files() if path.suffix in (".py", ".pyx", ".md")]
    cited = {key for path in read for key in CITED.findall(text_of(path))}
    assert cited - known == set()
    references = set(re.findall(r"notes: (\w+)", text_of(TOP / "CITATION.cff")))
    assert references <= known


@pytest.mark.parametrize("page", PAGES)
def test_a_link_to_a_file_of_the_project_leads_there(page: str) -> None:
    prose = FENCE.sub("", PAGES[page])
    targets = re.findall(r"\]\(([^)#\s]+)", prose)
    local = [target for target in targets if not re.match(r"\w+:", target)]
    assert [target for target in local if not ((TOP / page).parent / target).exists()] == []


def test_the_readme_sets_up_with_two_commands() -> None:
    set_up = [
        line for block in blocks(README) if block.kind == "sh" for line in block.text.split("\n")
    ]
    assert [line.split("#")[0].strip() for line in set_up if line.startswith("make")] == [
        "make demo",
        "make test",
    ]


def test_ci_runs_only_what_the_readme_describes() -> None:
    ci = text_of(TOP / ".ci" / "run")
    called = re.findall(r"^make .*$", ci, re.MULTILINE)
    assert called == ["make system", "make test"]
    assert [command for command in called if command not in README] == []


def test_the_tree_names_no_package_registry_and_no_path_of_a_machine() -> None:
    told = [
        f"{path.relative_to(TOP)}: {found[0]}"
        for path in files()
        for pattern in (REGISTRIES, MACHINE_PATHS)
        if (found := pattern.search(text_of(path)))
    ]
    assert told == []


@pytest.mark.parametrize(
    "page",
    [name for name in PAGES if name.startswith("docs/") and "/reports/" not in name],
)
def test_a_page_of_the_docs_ends_with_a_next_step(page: str) -> None:
    headings = re.findall(r"^## (.+)$", FENCE.sub("", PAGES[page]), re.MULTILINE)
    assert headings[-1] in ("Next", "Reports", "The reports"), headings
