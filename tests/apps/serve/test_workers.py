"""`related serve` as a process with its workers: signals, deaths, and the first line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.apps.serve.test_live import build
from tests.waiting import PATIENCE, PATIENT_SERVER, eventually

RELATED = [sys.executable, "-c", "from whatsrelated.cli import main; main()"]


@contextmanager
def served(
    *arguments: str, environment: dict[str, str] | None = None
) -> Iterator[tuple[httpx.Client, subprocess.Popen[str]]]:
    """A client of `related serve`, and its process."""
    with started("serve", *arguments, "--port", "0", environment=environment) as both:
        yield both


@contextmanager
def started(
    *arguments: str, environment: dict[str, str] | None = None
) -> Iterator[tuple[httpx.Client, subprocess.Popen[str]]]:
    process = subprocess.Popen(
        [*RELATED, *arguments],
        env={**os.environ, **PATIENT_SERVER, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    try:
        with httpx.Client(base_url=address, timeout=PATIENCE) as client:
            yield client, process
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def children(process: subprocess.Popen[str]) -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(pid) for pid in listed.split()]


def test_workers_share_the_counts_and_the_dead_are_replaced(tmp_path: Path) -> None:
    build(tmp_path / "web.graph", "coffee")
    with served(str(tmp_path / "web.graph"), "--workers", "2") as (client, process):
        first = children(process)
        assert len(first) == 2
        for number in range(20):
            one = httpx.get(
                client.base_url.join(f"/api/related?url=tea&by=cocitation&seed={number}"),
                timeout=PATIENCE,
            )
            assert one.json()["results"][0]["url"] == "coffee"
        counted = 'related_requests_total{route="/api/related",status="200"} 20'
        eventually(lambda: counted in client.get("/metrics").text.splitlines())
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        eventually(lambda: len(children(process)) == 2 and not set(first) & set(children(process)))
        client.close()
        again = httpx.get(
            client.base_url.join("/api/related?url=tea&by=cocitation"), timeout=PATIENCE
        )
        assert again.json()["results"][0]["url"] == "coffee"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_right_after_the_address_ends_the_server(number: signal.Signals) -> None:
    with served("sample", "--workers", "2") as (_, process):
        process.send_signal(number)
        assert process.wait(PATIENCE) == 0


def test_sighup_switches_to_a_new_generation_and_sigterm_ends_the_server(tmp_path: Path) -> None:
    place = tmp_path / "web.graph"
    build(place, "coffee")
    with served(str(place), "--watch", "3600") as (client, process):
        workers = children(process)

        def found() -> str:
            told = client.get("/api/related?url=tea&by=cocitation").json()
            url: str = told["results"][0]["url"]
            return url

        assert found() == "coffee"
        build(place, "cocoa")
        assert found() == "coffee"
        process.send_signal(signal.SIGHUP)
        eventually(lambda: found() == "cocoa")
        process.terminate()
        assert process.wait(PATIENCE) == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in workers)


def test_workers_end_when_their_parent_is_killed() -> None:
    with served("sample") as (client, process):
        assert client.get("/api/health").json()["status"] == "ok"
        workers = children(process)
        process.kill()
        process.wait()
        eventually(lambda: not any(_runs(pid) for pid in workers))


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_token_comes_from_the_environment_or_a_file(tmp_path: Path) -> None:
    with served("sample", environment={"RELATED_TOKEN": "open sesame"}) as (client, _):
        assert client.get("/").status_code == 401
        assert client.get("/", headers={"authorization": "Bearer open sesame"}).status_code == 200
    (tmp_path / "token").write_text("short\n")
    run = subprocess.run(
        [*RELATED, "serve", "sample", "--token-file", str(tmp_path / "token")],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert run.stderr == "related: serve: a token must have at least 8 plain characters.\n"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_that_is_taken_is_an_error_at_once(workers: str) -> None:
    with served("sample", "--workers", workers) as (client, _):
        run = subprocess.run(
            [
                *RELATED,
                "serve",
                "sample",
                "--workers",
                workers,
                "--port",
                str(client.base_url.port),
            ],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert run.returncode == 2
        assert "Address already in use; choose another with --port." in run.stderr
        assert run.stderr.count("\n") == 1


def test_a_missing_graph_is_an_error_at_once(tmp_path: Path) -> None:
    run = subprocess.run(
        [*RELATED, "serve", str(tmp_path / "none"), "--port", "0"], capture_output=True, text=True
    )
    assert run.returncode == 2
    assert "does not exist; check the path, or make one with: related build" in run.stderr


@pytest.mark.parametrize("package", ["uvicorn", "starlette"])
def test_a_missing_package_is_named_with_its_install_command(package: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from whatsrelated.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code, "serve", "sample"], capture_output=True, text=True
    )
    assert run.returncode == 2
    said = f"serve needs an extra package, {package}: pip install 'whatsrelated[server]'."
    assert run.stderr == f"related: {said}\n"


def test_the_sample_web_can_be_looked_at() -> None:
    with started("demo", "--serve") as (client, _):
        assert "What’s Related" in client.get("/").text
        assert client.get("/api/health").json()["pages"] > 1000


def test_once_the_address_is_printed_the_server_answers(tmp_path: Path) -> None:
    build(tmp_path / "web.graph", "coffee")
    with served(str(tmp_path / "web.graph")) as (client, _):
        assert client.get("/api/related?url=tea").status_code == 200
