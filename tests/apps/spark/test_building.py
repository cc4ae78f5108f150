"""Built range by range: byte for byte the graph of one machine, however the work is divided."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import whatsrelated as wr
from tests.apps.spark.here import no_cluster
from whatsrelated.apps import spark
from whatsrelated.errors import BuildError, OptionError, ReadError
from whatsrelated.graph.format import current_generation
from whatsrelated.stream import Refused

HOSTS = ["a.org", "www.a.org", "a.org:8080", "b.co.uk", "c.example.com"]


def names(random: Random, count: int) -> list[str]:
    """URLs on several hosts and ports, plain names, numbers, and some that are refused."""
    made = [f"http://{random.choice(HOSTS)}/{random.randrange(count)}" for _ in range(count)]
    made += [f"Name {number}" for number in range(count // 4)]
    return made + [str(random.randrange(99)) for _ in range(9)] + ["http://:bad:/", "http://[/"]


def write_lists(folder: Path, seed: int, files: int = 3, links: int = 400) -> list[Path]:
    """Lists of links, with a hub that many link to and a page that links to many."""
    random = Random(seed)
    pages = names(random, 120)
    paths = []
    for number in range(files):
        paths.append(folder / f"links-{number}.tsv")
        rows = [(random.choice(pages), random.choice(pages)) for _ in range(links)]
        rows += [(page, pages[0]) for page in random.choices(pages, k=80)]
        rows += [(pages[1], page) for page in random.choices(pages, k=80)]
        random.shuffle(rows)
        paths[-1].write_text("".join(f"{source}\t{target}\n" for source, target in rows))
    return paths


def contents(graph: Path) -> dict[str, bytes]:
    """Every array of a graph."""
    folder, _ = current_generation(graph)
    return {file.name: file.read_bytes() for file in folder.glob("*.npy")}


def manifest(graph: Path) -> dict[str, Any]:
    """The manifest without when it was built and how long it took."""
    folder, _ = current_generation(graph)
    read: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
    read["built"] = {
        name: value for name, value in read["built"].items() if name not in ("at", "seconds")
    }
    return read


def require_equal(first: Path, second: Path) -> None:
    one, other = contents(first), contents(second)
    assert sorted(one) == sorted(other)
    assert [name for name in one if one[name] != other[name]] == []
    assert manifest(first) == manifest(second)


@pytest.mark.parametrize("seed", range(3))
def test_the_graph_is_byte_for_byte_that_of_one_machine(tmp_path: Path, seed: int) -> None:
    paths = write_lists(tmp_path, seed)
    wr.build(paths, tmp_path / "one.graph")
    settings: list[dict[str, Any]] = [
        {},
        {"partitions": 1 + 5 * seed},
        # Some 60 ranges of keys.
        {"partitions": 60, "task_memory": 1 << 16},
    ]
    for setting in settings:
        with no_cluster(seed) as session:
            spark.build(session, paths, tmp_path / "many.graph", **setting)
        require_equal(tmp_path / "one.graph", tmp_path / "many.graph")


def test_numbers_and_columns_are_as_on_one_machine(tmp_path: Path) -> None:
    """Pages with titles, texts and anchors; numbers that are names; a matrix with its size."""
    random = Random(7)
    pages = []
    for number in range(200):
        links = [f"http://b.org/{random.randrange(300)}" for _ in range(5)]
        page = {"url": f"http://b.org/{number}", "links": links, "title": f"Page {number} - B"}
        if number % 3:
            page |= {"text": f"some words of {number} and {number % 7}", "anchors": ["x"] * 5}
        pages.append(json.dumps(page))
    (tmp_path / "a.jsonl").write_text("\n".join(pages[:90]))
    (tmp_path / "b.jsonl").write_text("\n".join(pages[60:]))
    (tmp_path / "c.edges").write_text("".join(f"{n} {n * n % 91}\n" for n in range(300)))
    (tmp_path / "d.mtx").write_text(
        "%%MatrixMarket matrix coordinate pattern general\n400 400 2\n7 9\n9 7\n"
    )
    paths = sorted(tmp_path.iterdir())
    wr.build(paths, tmp_path / "one.graph", text=True)
    with no_cluster() as session:
        spark.build(session, paths, tmp_path / "many.graph", text=True, partitions=5)
    require_equal(tmp_path / "one.graph", tmp_path / "many.graph")
    assert "titles.text.npy" in contents(tmp_path / "many.graph")
    assert "terms.counts.npy" in contents(tmp_path / "many.graph")


def test_folders_are_read_as_a_whole(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for number in range(9):
        links = "".join(f'<a href="{other}.html">to {other}</a>' for other in range(number))
        (site / f"{number}.html").write_text(f"<title>Page {number}</title>{links}")
    (tmp_path / "more.tsv").write_text("tea\tcoffee\ncoffee\ttea\n")
    paths = [site, tmp_path / "more.tsv"]
    wr.build(paths, tmp_path / "one.graph", base_url="https://x.org/")
    with no_cluster() as session:
        spark.build(
            session, paths, tmp_path / "many.graph", base_url="https://x.org/", partitions=3
        )
    require_equal(tmp_path / "one.graph", tmp_path / "many.graph")


def test_a_hub_is_cut_into_parts_and_the_graph_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task holds 16 links here, and the hub has some hundred parents."""
    monkeypatch.setattr("whatsrelated.apps.spark.building.BYTES_PER_LINK", 1 << 12)
    paths = write_lists(tmp_path, 2)
    wr.build(paths, tmp_path / "one.graph")
    with no_cluster() as session:
        spark.build(session, paths, tmp_path / "many.graph", task_memory=1 << 16, partitions=3)
    require_equal(tmp_path / "one.graph", tmp_path / "many.graph")


def test_packed_links_are_those_of_one_machine(tmp_path: Path) -> None:
    paths = write_lists(tmp_path, 8)
    wr.build(paths, tmp_path / "one.graph", store="packed")
    with no_cluster() as session:
        built = spark.build(session, paths, tmp_path / "many.graph", store="packed", partitions=6)
        require_equal(tmp_path / "one.graph", tmp_path / "many.graph")
        assert built.store.is_packed
        many = spark.rank(session, built, "pagerank", tolerance=1e-6, partitions=3)
    one = wr.open(tmp_path / "one.graph").rank("pagerank", tolerance=1e-6)
    assert abs(one.scores - many.scores).sum() < 2e-5


def test_both_twins_count_the_same_rejected_lines(tmp_path: Path) -> None:
    paths = write_lists(tmp_path, 3)
    one, many = Refused(), Refused()
    wr.build(paths, tmp_path / "one.graph", refused=one)
    with no_cluster() as session:
        spark.build(session, paths, tmp_path / "many.graph", refused=many, partitions=4)
    assert many.counts == one.counts
    assert one.total() > 0


@pytest.mark.parametrize("size", [1 << 10, 1 << 14])
def test_a_large_list_is_read_in_parts_that_end_with_lines(tmp_path: Path, size: int) -> None:
    lines = "".join(f"http://a.org/{n % 97}\thttp://a.org/{n * 7 % 89}\n" for n in range(3000))
    (tmp_path / "a.tsv").write_text("source\ttarget\n" + lines.rstrip("\n"))
    wr.build([tmp_path / "a.tsv"], tmp_path / "one.graph")
    with no_cluster() as session, pytest.MonkeyPatch.context() as patched:
        patched.setattr("whatsrelated.apps.spark.building.MIN_TASK", size)
        spark.build(session, [tmp_path / "a.tsv"], tmp_path / "many.graph", partitions=1000)
    require_equal(tmp_path / "one.graph", tmp_path / "many.graph")


def test_a_list_without_links_is_an_error_and_leaves_no_graph(tmp_path: Path) -> None:
    (tmp_path / "self.tsv").write_text("a\ta\n")
    with no_cluster() as session, pytest.raises(BuildError, match="would have no links"):
        spark.build(session, [tmp_path / "self.tsv"], tmp_path / "many.graph")
    assert not (tmp_path / "many.graph").exists()


def test_an_error_of_a_reader_is_that_of_one_machine(tmp_path: Path) -> None:
    (tmp_path / "good.tsv").write_text("a\tb\n")
    (tmp_path / "bad.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n3 3 9\n")
    paths = [tmp_path / "good.tsv", tmp_path / "bad.mtx"]
    with pytest.raises(ReadError) as one:
        wr.build(paths, tmp_path / "one.graph")
    with no_cluster() as session, pytest.raises(ReadError) as many:
        spark.build(session, paths, tmp_path / "many.graph")
    assert str(many.value).replace(str(tmp_path), "") == str(one.value).replace(str(tmp_path), "")
    assert not (tmp_path / "many.graph").exists()


@pytest.mark.parametrize("least", [1, 2, 4])
def test_pages_with_few_parents_are_left_out_as_on_one_machine(tmp_path: Path, least: int) -> None:
    random = Random(least)
    read = [{"url": f"http://a.org/{n}", "links": [], "title": "T"} for n in range(3)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(page) + "\n" for page in read))
    for file in ("b.tsv", "c.tsv"):
        rows = [(random.randrange(40), random.randrange(200)) for _ in range(150)]
        text = "".join(f"http://b.org/{s}\thttp://c.org/{t}\n" for s, t in rows)
        (tmp_path / file).write_text(text + "http://c.org/x\thttp://c.org/x\n")
    (tmp_path / "d.edges").write_text("".join(f"{n % 7} {n * n % 91}\n" for n in range(60)))
    paths = sorted(tmp_path.iterdir())
    whole = wr.build(paths, tmp_path / "one.graph")
    one = wr.build(paths, tmp_path / "one.graph", least_parents=least)
    assert 0 < len(one) < len(whole)
    for partitions in (1, 5):
        with no_cluster(least) as session:
            spark.build(
                session,  # type: ignore[arg-type]
                paths,
                tmp_path / "many.graph",
                least_parents=least,
                partitions=partitions,
            )
        require_equal(tmp_path / "one.graph", tmp_path / "many.graph")


def write_numbered(folder: Path, kind: str) -> tuple[list[Path], list[Path], dict[str, Any]]:
    """Links between numbers, names files for them, and the options that they need."""
    random = Random(kind)
    count = 120
    names = [f"http://{random.choice(HOSTS)}/{random.randrange(90)}" for _ in range(count)]
    names[5], names[9] = "http://[/", ""
    options: dict[str, Any] = {"first_number": "1"} if kind == "lines" else {}
    numbers = list(range(count))
    rows = [f"{name}\n" for name in names]
    if kind == "numbers":
        numbers = random.sample(range(count + 30), count)
        titles = [f"Title {n % 7}" if n % 3 else "" for n in range(count)]
        rows = [f"{n}\t{name}\t{t}\n" for n, name, t in zip(numbers, names, titles, strict=True)]
        rows.insert(0, "id\turl\ttitle\n")
    elif kind in ("vertices", "ranks"):
        plain = {f"com.h{random.randrange(900)}" for _ in range(count)}
        hosts = sorted(plain | {f"{host}.www" for host in sorted(plain)[::3]})
        numbers = list(range(len(hosts)))
        rows = [f"{number}\t{host}\n" for number, host in enumerate(hosts)]
        if kind == "ranks":
            head = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n"
            rows = [head, *(f"{n}\t1.5\t{n}\t0.5\t{host}\n" for n, host in enumerate(hosts))]
    half = len(rows) // 2
    parts = [rows] if kind in ("ranks", "numbers") else [rows[:half], rows[half:]]
    named = []
    for number, part in enumerate(parts):
        named.append(folder / f"names-{number}.txt")
        named[-1].write_text("".join(part))
    paths = []
    for number in range(2):
        links = [(random.choice(numbers), random.choice(numbers)) for _ in range(300)]
        links += [(max(numbers), min(numbers))]
        links += [(7, 10**6)] if kind != "ranks" else []
        paths.append(folder / f"links-{number}.txt")
        paths[-1].write_text("".join(f"{a}\t{b}\n" for a, b in links))
    return paths, named, options


@pytest.mark.parametrize("kind", ["lines", "numbers", "vertices", "ranks"])
def test_a_names_file_is_taken_as_on_one_machine(tmp_path: Path, kind: str) -> None:
    paths, named, options = write_numbered(tmp_path, kind)
    one, many = Refused(), Refused()
    built = wr.build(paths, tmp_path / "one.graph", names_file=named, refused=one, **options)
    assert built.n_links > 300
    for setting in ({}, {"partitions": 7}, {"partitions": 3, "task_memory": 1 << 16}):
        many = Refused()
        with no_cluster() as session:
            spark.build(
                session,  # type: ignore[arg-type]
                paths,
                tmp_path / "many.graph",
                names_file=named,
                refused=many,
                **setting,  # type: ignore[arg-type]
                **options,
            )
        require_equal(tmp_path / "one.graph", tmp_path / "many.graph")
        assert many.counts == one.counts


def test_an_unsupported_source_with_a_names_file_is_one_sentence(tmp_path: Path) -> None:
    paths, named, _ = write_numbered(tmp_path, "lines")
    (tmp_path / "a.jsonl").write_text('{"url": "http://a.org/", "links": ["http://b.org/"]}\n')
    (tmp_path / "far.txt").write_text("".join(f"{9 * n}\tname {n}\n" for n in range(20_000)))
    for sources, names, options, why in (
        (paths, named, {}, "set it, for example: --first-number 1"),
        (paths, named, {"first_number": "1", "least_parents": 2}, "for least_parents with a"),
        (
            [*paths, tmp_path / "a.jsonl"],
            named,
            {"first_number": "1"},
            "only links between",
        ),
        (paths, [tmp_path / "far.txt"], {}, "are not consecutive"),
    ):
        with no_cluster() as session, pytest.raises((OptionError, ReadError), match=why):
            spark.build(session, sources, tmp_path / "x.graph", names_file=names, **options)  # type: ignore[arg-type]
