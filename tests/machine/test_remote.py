"""Remote paths: S3 by moto's server on loopback, and the Web by a server of files."""

from __future__ import annotations

import builtins
import contextlib
import errno
import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

from tests.cli.commands import related
from tests.sources import links_of, read, write
from whatsrelated.errors import BuildError, MissingExtra, ReadError
from whatsrelated.machine.files import output_file, write_file
from whatsrelated.machine.remote import fetch, remote_url


@pytest.fixture(scope="module")
def s3() -> Iterator[Any]:
    """A bucket `tea` on a server of our own."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "key")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        client = boto3.client("s3")
        client.create_bucket(Bucket="tea")
        yield client
    server.stop()


@pytest.fixture
def web(tmp_path: Path) -> Iterator[str]:
    """The address of a folder, `tmp_path/web`, on loopback."""
    (tmp_path / "web").mkdir()
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "web"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_file_and_a_folder_in_s3_are_sources(s3: Any) -> None:
    s3.put_object(Bucket="tea", Key="links.tsv", Body=b"src\tdst\na\tb\n")
    s3.put_object(Bucket="tea", Key="notes/a.md", Body=b"[b](inner/b.md)\n")
    s3.put_object(Bucket="tea", Key="notes/inner/b.md", Body=b"# B\n")
    links = read("s3://tea/links.tsv")
    assert links_of(links) == [("a", "b")]
    assert links.provenance["sources"] == ["s3://tea/links.tsv"]
    notes = read("s3a://tea/notes", options={"workers": 1})
    assert links_of(notes) == [("a.md", "inner/b.md")]


def test_an_export_and_all_answers_go_to_s3(s3: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    lines = "src\tdst\n" + "".join(f"p{i}\tx\np{i}\ty\n" for i in range(4))
    graph = str(tmp_path / "web.graph")
    assert not related("build", str(write(tmp_path / "links.tsv", lines)), "-o", graph).returncode
    done = related("export", "-g", graph, "-o", "s3://tea/out/edges.tsv", cwd=tmp_path)
    assert done.stderr.endswith("s3://tea/out/edges.tsv: 6 pages, 8 links\n")
    edges = s3.get_object(Bucket="tea", Key="out/edges.tsv")["Body"].read()
    assert edges == lines.replace("src\tdst", "source\ttarget").encode()
    done = related("all", graph, "-o", "s3://tea/out/all.csv", "--by", "cocitation", cwd=tmp_path)
    assert done.stderr.endswith("Sent to s3://tea/out/all.csv.\n")
    answers = s3.get_object(Bucket="tea", Key="out/all.csv")["Body"].read()
    assert b"x,1,y" in answers
    related("all", graph, "-o", "s3://tea/out/all.parquet", "--by", "cocitation", cwd=tmp_path)
    related("export", "-g", graph, "-o", "s3://tea/out/web.npy", cwd=tmp_path)
    assert s3.get_object(Bucket="tea", Key="out/web.npy/links.npy")["ContentLength"] == 128 + 32
    assert not (tmp_path / "s3:").exists()
    keys = [
        one["Key"] for one in s3.list_objects(Bucket="tea", Prefix="out/all.parquet")["Contents"]
    ]
    assert keys == ["out/all.parquet/_manifest.json", "out/all.parquet/part-000000.parquet"]
    assert list((tmp_path / "cache" / "whatsrelated" / "outputs").iterdir()) == []


def test_a_missing_object_or_bucket_is_one_sentence(s3: Any) -> None:
    with pytest.raises(ReadError, match=r"^s3://tea/gone\.tsv cannot be read: "):
        read("s3://tea/gone.tsv")
    with pytest.raises(BuildError, match=r"^s3://gone/x\.txt cannot be written: "):
        write_file("s3://gone/x.txt", "text")


def test_a_list_on_the_web_is_a_source_and_a_page_is_for_the_crawler(
    web: str, tmp_path: Path
) -> None:
    write(tmp_path / "web" / "links.tsv", "src\tdst\na\tb\n")
    write(tmp_path / "web" / "page.html", "<!doctype html><a href=x>x</a>")
    assert links_of(read(f"{web}/links.tsv")) == [("a", "b")]
    with pytest.raises(ReadError, match=f"related crawl {web}/page.html$"):
        read(f"{web}/page.html")
    with pytest.raises(ReadError, match="cannot be read: "):
        read(f"{web}/gone.tsv")


def test_without_the_extra_the_error_names_it(monkeypatch: Any, tmp_path: Path) -> None:
    real = builtins.__import__

    def without(name: str, *others: Any, **known: Any) -> Any:
        if name.split(".")[0] in ("fsspec", "s3fs"):
            raise ImportError(name)
        return real(name, *others, **known)

    monkeypatch.setattr("whatsrelated.machine.packages.import_module", without)
    for use in (lambda: read("s3://tea/x.tsv"), lambda: write_file("s3://tea/x.tsv", "x")):
        with pytest.raises(MissingExtra, match=r"pip install 'whatsrelated\[remote\]'"):
            use()


def test_a_path_keeps_its_url() -> None:
    assert remote_url(Path("s3://tea/x.tsv")) == "s3://tea/x.tsv"
    assert remote_url("https://tea.example/x?y=1") == "https://tea.example/x?y=1"
    assert remote_url("tea/x.tsv") is None
    assert remote_url("ftp://tea.example/x") is None


def test_a_full_disk_names_the_remote_file(s3: Any, tmp_path: Path) -> None:
    def fail(_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    sentence = r"^s3://tea/full\.txt cannot be written: No space left"
    with pytest.raises(BuildError, match=sentence), output_file("s3://tea/full.txt") as file:
        fail(file)
    assert "Contents" not in s3.list_objects(Bucket="tea", Prefix="full.txt")


def test_a_remote_name_cannot_lead_out_of_the_temporary_folder(s3: Any, tmp_path: Path) -> None:
    s3.put_object(Bucket="tea", Key="../links.tsv", Body=b"a\tb\n")
    s3.put_object(Bucket="tea", Key="deep/../../../links.tsv", Body=b"a\tb\n")
    s3.put_object(Bucket="tea", Key="deep/kept.tsv", Body=b"a\tb\n")
    place = tmp_path / "one" / "two"
    place.mkdir(parents=True)
    for url in ("s3://tea/..", "s3://tea/deep"):
        with contextlib.suppress(ReadError):
            fetch(url, place)
    outside = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert all(file.is_relative_to(place) for file in outside)
    assert (place / "deep" / "kept.tsv").is_file()
