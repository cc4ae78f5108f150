"""An idle connection is closed, whatever it has sent before."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.hostile.processes import Served, served
from tests.waiting import eventually

IMPATIENT = ("--patience", "0.5", "--connections")

HOST = b"Host: 127.0.0.1\r\n"
LENGTH = b"Content-Length: 1000\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"

UNFINISHED = {
    "a body for no route": b"GET /none HTTP/1.1\r\n" + HOST + LENGTH + b"\r\nx",
    "a body for a GET": b"GET /api/health HTTP/1.1\r\n" + HOST + LENGTH + b"\r\nx",
    "a body for a HEAD": b"HEAD /api/health HTTP/1.1\r\n" + HOST + LENGTH + b"\r\nx",
    "a body of another kind": b"POST /api/related HTTP/1.1\r\n" + HOST + LENGTH + b"\r\nx",
    "a method that is refused": b"PUT /api/related HTTP/1.1\r\n" + HOST + LENGTH + b"\r\nx",
    "a chunk that does not end": b"GET /api/health HTTP/1.1\r\n" + HOST + CHUNKED + b"\r\n5\r\nx",
    "chunks that do not end": b"GET /api/health HTTP/1.1\r\n" + HOST + CHUNKED + b"\r\n1\r\nx\r\n",
    "another name": b"GET /api/health HTTP/1.1\r\nHost: other\r\n" + LENGTH + b"\r\nx",
}
BY_ITSELF = {
    "nothing": b"",
    "half a head": b"GET /api/health HTTP/1.1\r\nHost: 127",
    "a body of JSON": (
        b"POST /api/related HTTP/1.1\r\n"
        + HOST
        + LENGTH
        + b"Content-Type: application/json\r\n\r\n{"
    ),
    "half of a second head": b"GET /api/health HTTP/1.1\r\n" + HOST + b"\r\nGET /",
}


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    log = tmp_path_factory.mktemp("impatient") / "log"
    with served("sample", log, *IMPATIENT, "64") as server:
        yield server


@pytest.fixture(scope="module")
def kept(impatient: Served) -> Iterator[dict[str, bool]]:
    """Whether the server still holds the connection of each kind of client after a while."""
    held = {}
    for name, sent in {**UNFINISHED, **BY_ITSELF}.items():
        held[name] = socket.create_connection(impatient.address)
        held[name].sendall(sent)
        held[name].setblocking(False)
    still = set(held)

    def all_closed() -> bool:
        for name in list(still):
            try:
                if held[name].recv(65536) == b"":
                    still.discard(name)
            except BlockingIOError:
                pass
            except ConnectionResetError:
                still.discard(name)
        return not still

    with suppress(AssertionError):  # the tests say which were not
        eventually(all_closed)
    yield {name: name in still for name in held}
    for each in held.values():
        each.close()


@pytest.mark.parametrize("name", BY_ITSELF)
def test_a_request_that_never_arrives_is_dropped(name: str, kept: dict[str, bool]) -> None:
    assert not kept[name]


@pytest.mark.parametrize("name", UNFINISHED)
def test_a_body_that_no_client_waits_for_is_dropped(name: str, kept: dict[str, bool]) -> None:
    assert not kept[name]


def test_a_handful_of_bytes_does_not_keep_everyone_out(tmp_path: Path) -> None:
    """All connections of the server are taken, at the cost of 61 bytes each."""
    with served("sample", tmp_path / "log", *IMPATIENT, "8") as server:
        held = []
        for _ in range(8):
            each = socket.create_connection(server.address)
            each.sendall(UNFINISHED["a body for no route"])
            held.append(each)

        def is_answered() -> bool:
            return server.client.get("/api/health").status_code == 200

        try:
            eventually(is_answered)
        finally:
            for each in held:
                each.close()


def test_a_client_that_reads_nothing_is_cut_off(impatient: Served) -> None:
    """Many answers are requested and none is read: the server stops computing them."""
    with socket.create_connection(impatient.address) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(0.5)
        request = b"GET /openapi.json HTTP/1.1\r\n" + HOST + b"\r\n"
        sent = 0
        try:
            while sent < 64 << 20:
                sent += connection.send(request * 200)
        except (TimeoutError, ConnectionError):
            pass
    assert sent < 64 << 20, "the server took requests without an end"
    assert impatient.peak_memory() < 512 << 20


def test_a_host_that_is_given_twice_is_refused(impatient: Served) -> None:
    """The host name protects against DNS rebinding, so there must be only one."""
    for first, second in ((b"127.0.0.1", b"evil.example"), (b"evil.example", b"127.0.0.1")):
        head = b"GET /api/health HTTP/1.1\r\nHost: " + first + b"\r\nHost: " + second
        answer = impatient.exchange(head + b"\r\nConnection: close\r\n\r\n")
        assert answer.split()[1] in (b"400", b"421"), answer[:200]
