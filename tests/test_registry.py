"""An installed package that adds to every registry is used like our own code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.waiting import PATIENCE, PATIENT_SERVER

PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "related-letters"
version = "1.0"

[tool.setuptools]
py-modules = ["related_letters", "related_ending"]
"""

ENTRY_POINTS = {
    "methods": "letters = Letters",
    "ranks": "brevity = Brevity",
    "sources": "arrows = Arrows",
    "exports": "arrows = ArrowsWriter",
    "criteria": "alphabet = alphabet",
    "verbs": "spell = spell",
}
"""In each group, besides one that cannot be loaded."""

MODULE = '''
"""Pages by the letters of their names: one of everything that a package can add."""

from dataclasses import dataclass
from typing import ClassVar

import click
import numpy as np

from whatsrelated.apps.export.writer import Writer
from whatsrelated.cli.candidates import complete_pages
from whatsrelated.cli.output import print_json
from whatsrelated.cli.parameters import graph_option
from whatsrelated.methods import Method
from whatsrelated.options import option
from whatsrelated.contract.candidates import Candidates
from whatsrelated.ranks import Rank
from whatsrelated.ranks.ranking import Ranking
from whatsrelated.sources.reader import Reader
from whatsrelated.stream import Page


@dataclass(frozen=True)
class Letters(Method):
    """Pages whose names share letters."""

    name: ClassVar[str] = "letters"
    compares: ClassVar[bool] = True
    shared_letters: int = option(1, "the fewest letters in common", low=1, high=9)

    def find(self, question):
        store = question.store
        own = set(store.url(question.page))
        pages = np.array([p for p in range(store.n_pages) if p != question.page], np.uint32)
        scores = np.array([len(own & set(store.url(p))) for p in pages.tolist()], np.float64)
        some = scores >= self.shared_letters
        url = store.url
        return Candidates(
            pages[some], scores[some],
            evidence=lambda page: {"sentence": "Letters.", "letters": sorted(own & set(url(page)))},
        )


@dataclass(frozen=True)
class Brevity(Rank):
    """Short names first."""

    name: ClassVar[str] = "brevity"
    power: float = option(1.0, "how much shortness counts", low=0, high=3)

    def compute(self, store, *, threads=None, progress=None, accept=False):
        lengths = np.array([len(store.url(p)) for p in range(store.n_pages)], np.float64)
        return Ranking(store, self, lengths ** -self.power)


@dataclass(frozen=True)
class Arrows(Reader):
    """A link on each line: a ==> b."""

    name: ClassVar[str] = "arrows"
    sentence: ClassVar[str] = "a link on each line: a ==> b"
    backwards: bool = option(False, "whether arrows point from the target to the source")

    @classmethod
    def recognises(cls, file):
        return b" ==> " in file.sample

    def read(self, file, reading):
        for line in file.read().decode().splitlines():
            ends = line.split(" ==> ")
            source, target = reversed(ends) if self.backwards else ends
            yield Page(source, (target,))


@dataclass(frozen=True)
class ArrowsWriter(Writer):
    """A link on each line: a ==> b."""

    name: ClassVar[str] = "arrows"
    suffixes: ClassVar[tuple] = (".arrows",)
    shaft: str = option("==>", "how an arrow is drawn")

    def write(self, store, path, progress):
        lines = [
            f"{store.url(page)} {self.shaft} {store.url(target)}\\n"
            for page in range(store.n_pages)
            for target in store.links_from(page).tolist()
        ]
        path.write_text("".join(lines))


def alphabet(store):
    return lambda pages: np.array([-ord(store.url(p)[0]) for p in pages.tolist()], np.float64)


@click.command()
@click.argument("page", shell_complete=complete_pages)
@graph_option
@click.option("--between", default="-", help="Text between two letters.")
@click.option("--output", type=click.Path(writable=True), help="A file for the letters.")
@click.option("--copy", type=click.Path(writable=True), help="A file for a copy.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def spell(page, graph, between, output, copy, as_json):
    """Spell the name of a page.

    Letter by letter."""
    opened = graph.open()
    url = opened.url(opened.page(page))
    print_json(list(url)) if as_json else click.echo(between.join(url))
    return 0


def not_a_verb():
    """A function, where a click command is needed."""
'''
ENDING_MODULE = "raise SystemExit('This module ends the program.')"


class Home:
    """A folder with a graph, in which the command knows the installed package."""

    def __init__(self, folder: Path, packages: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "PYTHONPATH": str(packages)}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.python("from whatsrelated.cli import main; main()", *words)

    def related(self, *words: str) -> str:
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def python(self, code: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
        )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    project, packages, folder = (tmp_path_factory.mktemp(name) for name in ("p", "i", "home"))
    text = PROJECT
    for group, point in ENTRY_POINTS.items():
        name, attribute = point.split(" = ")
        text += f'[project.entry-points."whatsrelated.{group}"]\n'
        text += f'{name} = "related_letters:{attribute}"\n'
        text += 'broken = "related_letters_broken:Broken"\n'
    text += 'plain = "related_letters:not_a_verb"\n'  # in the last group, which is that of verbs
    text += 'ending = "related_ending:command"\n'
    text += 'build = "related_letters:spell"\n'
    (project / "pyproject.toml").write_text(text)
    (project / "related_letters.py").write_text(MODULE)
    (project / "related_ending.py").write_text(ENDING_MODULE)
    install = ["install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [sys.executable, "-m", "pip", *install, "--target", str(packages), str(project)],
        check=True,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )
    home = Home(folder, packages)
    links = [("list", "tea"), ("list", "eat"), ("list", "moss"), ("tea", "moss"), ("moss", "eat")]
    (folder / "links").write_text("".join(f"{one} ==> {two}\n" for one, two in links))
    home.related("build", "links")
    return home


@pytest.fixture(scope="module")
def client(home: Home) -> Iterator[httpx.Client]:
    command = [sys.executable, "-c", "from whatsrelated.cli import main; main()"]
    process = subprocess.Popen(
        [*command, "serve", "--port", "0"],
        cwd=home.folder,
        env={**home.environment, **PATIENT_SERVER},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        with httpx.Client(base_url=process.stdout.readline().strip(), timeout=PATIENCE) as client:
            yield client
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def flattened(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_an_installed_method_answers_in_python(home: Home) -> None:
    done = home.python(
        "import whatsrelated as wr; graph = wr.open('web.graph');"
        "print([r.url for r in graph.related('tea', by='letters', shared_letters=2)],"
        "graph.similarity('tea', 'eat', by='letters'), graph.rank('brevity', power=2)['tea'])"
    )
    assert done.stdout == f"['eat'] 3.0 {3.0**-2}\n", done.stderr


def test_an_installed_method_and_its_option_are_in_the_command(home: Home) -> None:
    for verb, more in {"to": "", "compare": " (letters)", "similarity": " (letters)"}.items():
        said = flattened(home.related(verb, "--by", "letters", "--help-all"))
        assert "--shared-letters" in said, verb
        assert f"The fewest letters in common. [default: 1{more}]" in said, verb
        assert re.search(r"\w, letters\b", said), verb
    words = ("--by", "letters", "--shared-letters", "2", "--json", "--why")
    answer = json.loads(home.related("to", "tea", *words))
    assert [(one["url"], one["evidence"]["letters"]) for one in answer["results"]] == [
        ("eat", ["a", "e", "t"])
    ]
    too_many = home.run("to", "tea", "--by", "letters", "--shared-letters", "10")
    assert "letters: shared_letters must be at least 1 and at most 9, got 10." in too_many.stderr
    compared = json.loads(
        home.related(
            "compare", "tea", "--by", "letters,cocitation", "--shared-letters", "2", "--json"
        )
    )
    assert len(compared["answers"][0]["results"]) == 1
    alike = json.loads(home.related("similarity", "tea", "eat", "--by", "letters", "--json"))
    assert alike["scores"] == [[None, 3.0], [3.0, None]]


def test_an_installed_method_is_measured(home: Home) -> None:
    (home.folder / "gold.tsv").write_text("tea\teat\n")
    assert "letters" in home.related("evaluate", "--help")
    found = home.related(
        "evaluate", "--queries", "gold.tsv", "--by", "letters(shared_letters=2)", "--json"
    )
    assert "letters(shared_letters=2)" in found
    assert home.run("evaluate", "--queries", "gold.tsv", "--by", "broken").returncode == 2


def test_an_installed_rank_is_in_the_command(home: Home) -> None:
    said = flattened(home.related("rank", "--help-all"))
    assert "brevity" in said
    assert "--power" in said
    ranking = json.loads(
        home.related("rank", "--by", "brevity", "--power", "2", "--top", "1", "--json")
    )
    assert ranking["options"] == {"power": 2.0}
    assert ranking["results"][0]["score"] == 3.0**-2
    assert "brevity" in flattened(home.related("build", "--help-all"))


def test_an_installed_reader_and_writer_are_in_the_command(home: Home) -> None:
    assert "--backwards / --no-backwards" in flattened(home.related("build", "--help-all"))
    home.related("build", "links", "--backwards", "-o", "backwards.graph")
    into = json.loads(home.related("links", "list", "--in", "--json", "-g", "backwards.graph"))
    assert set(into["in"]) == {"tea", "eat", "moss"}
    said = flattened(home.related("export", "--help"))
    assert "arrows" in said
    assert "--shaft" in said
    home.related("export", "-o", "again.arrows", "--shaft", "->")
    assert "tea -> moss\n" in (home.folder / "again.arrows").read_text()


def test_an_installed_criterion_chooses_hubs(home: Home) -> None:
    words = ("to", "tea", "--by", "hubfinder", "--criterion", "alphabet", "--json")
    assert json.loads(home.related(*words))["options"]["criterion"] == "alphabet"


def test_an_installed_verb_runs_and_is_in_the_help(home: Home) -> None:
    assert "spell Spell the name of a page." in flattened(home.related("--help"))
    said = flattened(home.related("help", "spell"))
    assert "Letter by letter." in said
    assert "--graph" in said
    assert home.related("spell", "tea") == "t-e-a\n"
    assert json.loads(home.related("spell", "tea", "--json")) == ["t", "e", "a"]
    missing = home.run("spell", "nothing")
    assert missing.returncode == 1
    assert missing.stderr.startswith("related: No page nothing in web.graph")
    assert "did you mean spell?" in home.run("spel", "tea").stderr


def test_an_installed_verb_takes_options_from_files_and_the_environment(home: Home) -> None:
    file = home.folder / "related.toml"
    try:
        file.write_text("[spell]\nbetween = '+'\n")
        assert home.related("spell", "tea") == "t+e+a\n"
        assert home.related("spell", "tea", "--between", "") == "tea\n"
        home.environment["RELATED_SPELL_BETWEEN"] = "*"
        assert home.related("spell", "tea") == "t*e*a\n"
        del home.environment["RELATED_SPELL_BETWEEN"]
        listed = {one["option"]: one for one in json.loads(home.related("config", "--json"))}
        assert listed["spell.between"] == {
            "option": "spell.between",
            "value": "+",
            "from": "related.toml",
        }
        file.write_text("between = '='\n")
        assert home.related("spell", "tea") == "t=e=a\n"
        file.write_text("[spell]\nbetwen = '+'\n")
        wrong = home.run("spell", "tea")
        assert "spell has no option betwen; did you mean between?" in wrong.stderr
        for name in ("output", "copy"):
            file.write_text(f"[spell]\n{name} = '../elsewhere'\n")
            assert "outside the folder of" in home.run("spell", "tea").stderr
    finally:
        file.unlink()
        home.environment.pop("RELATED_SPELL_BETWEEN", None)


def test_an_installed_verb_is_completed(home: Home) -> None:
    def completed(line: str) -> list[str]:
        return home.related("completion", "--line", line).splitlines()

    assert completed("related spe") == ["spell\tSpell the name of a page."]
    assert "--between\tText between two letters." in completed("related spell --b")
    assert completed("related spell te") == ["tea"]


def test_a_verb_that_cannot_be_loaded_takes_nothing_away(home: Home) -> None:
    said = home.related("--help")
    assert said.count("cannot be loaded") == 3
    assert "fix or uninstall its package" in flattened(said)
    assert "is not a click.core.Command" in home.run("plain").stderr
    assert "SystemExit: This module ends the program." in home.run("ending").stderr
    assert "Build a graph from SOURCEs" in flattened(home.related("build", "--help"))
    file = home.folder / "related.toml"
    try:
        file.write_text("limit = 1\n")
        assert len(json.loads(home.related("to", "tea", "--json"))["results"]) == 1
        assert "to.limit" in home.related("config")
        file.write_text("limmit = 1\n")
        assert "no verb has an option limmit; did you mean limit?" in home.run("info").stderr
        assert "no verb has an option limmit" in home.run("config").stderr
    finally:
        file.unlink()


def test_an_installed_method_and_rank_are_served(client: httpx.Client) -> None:
    listed = client.get("/api/methods").json()
    options = {each["name"]: each["options"] for each in listed["methods"]}
    assert [(each["name"], each["high"]) for each in options["letters"]] == [("shared_letters", 9)]
    assert "brevity" in [each["name"] for each in listed["ranks"]]
    document = client.get("/openapi.json").json()["paths"]
    for path, name, by in (
        ("/api/related", "shared_letters", "letters"),
        ("/api/similarity", "shared_letters", "letters"),
        ("/api/compare", "shared_letters", None),
        ("/api/rank", "power", "brevity"),
    ):
        parameters = {each["name"]: each for each in document[path]["get"]["parameters"]}
        assert name in parameters, path
        assert by is None or by in parameters["by"]["schema"]["enum"], path
    answer = client.get("/api/related?url=tea&by=letters&shared_letters=2").json()
    assert [one["url"] for one in answer["results"]] == ["eat"]
    wrong = client.get("/api/related?url=tea&by=letters&shared_letters=10")
    assert "at most 9" in wrong.json()["error"]["sentence"]
    assert client.get("/api/rank?by=brevity&power=2&top=1").json()["results"][0]["score"] == 3.0**-2
    alike = client.get("/api/similarity?url=tea&url=eat&by=letters").json()
    assert alike["scores"] == [[None, 3.0], [3.0, None]]


def test_an_installed_method_and_rank_are_on_the_page(client: httpx.Client) -> None:
    page = client.get("/?url=tea&by=letters&shared_letters=2").text
    assert 'value="letters" checked> <strong>letters</strong>' in page
    assert "<small>Pages whose names share letters.</small>" in page
    assert re.search(r'<input [^>]*name="shared_letters" type="number"[^>]*value="2"', page)
    assert "Letters." in page
    assert "<dt>letters</dt>" in page
    assert 'href="ranks?by=brevity" title="Short names first."' in client.get("/ranks").text
    assert "Best pages by brevity" in client.get("/ranks?by=brevity").text


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("to", "tea", "--by", "broken"), "method"),
        (("rank", "--by", "broken"), "rank"),
        (("build", "links", "--format", "broken", "-o", "x.graph"), "format"),
        (("export", "-o", "x", "--format", "broken"), "format to write"),
        (("to", "tea", "--by", "hubfinder", "--criterion", "broken"), "criterion"),
        (("broken",), "verb"),
        (("config", "broken"), "verb"),
    ],
)
def test_a_failed_import_is_named_on_use(home: Home, words: tuple[str, ...], kind: str) -> None:
    done = home.run(*words)
    assert done.returncode == 2
    assert f"The installed {kind} 'broken' cannot be loaded from related_letters" in done.stderr
    assert "fix or uninstall its package" in done.stderr


def test_a_failed_import_is_named_over_http(client: httpx.Client) -> None:
    for path in ("/api/related?url=tea&by=broken", "/api/rank?by=broken"):
        answer = client.get(path)
        assert answer.status_code == 400
        assert "'broken' cannot be loaded" in answer.json()["error"]["sentence"]
