"""What is in deploy/ works: behind a real nginx and a real Caddy, and systemd accepts the unit."""

from __future__ import annotations

import json
import os
import re
import socket
import ssl
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.apps.serve import serving
from tests.graphs import graph_of
from tests.system import TOP
from tests.waiting import PATIENCE, eventually

DEPLOY = TOP / "deploy"
GRAPH = graph_of("a -> tea coffee", "b -> coffee tea")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def certificate(folder: Path) -> None:
    names = "subjectAltName=DNS:pages.example.org"
    words = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=pages.example.org -addext {names}"
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(["openssl", *words.split(), *files], check=True, capture_output=True)


@contextmanager
def proxy(folder: Path, configure: Callable[[int], list[str]]) -> Iterator[int]:
    """The port of a proxy that listens; `configure` makes its command for a port."""
    log = folder / "proxy.log"
    for _ in range(20):  # another process may take the port first
        port = free_port()
        with log.open("wb") as opened:
            process = subprocess.Popen(
                configure(port),
                cwd=folder,
                stdout=opened,
                stderr=opened,
                env={**os.environ, "HOME": str(folder)},
            )
        try:
            eventually(partial(has_settled, process, port))
            if process.poll() is None:
                yield port
                return
            assert "in use" in log.read_text(), log.read_text()
        finally:
            process.terminate()
            process.wait(PATIENCE)


def has_settled(process: subprocess.Popen[bytes], port: int) -> bool:
    """Whether a proxy has ended, or listens."""
    if process.poll() is not None:
        return True
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def look(address: str, context: ssl.SSLContext | bool) -> None:
    """Ask through a proxy under /related/, as pages.example.org."""
    headers = {"host": "pages.example.org", "x-request-id": "through-proxy"}
    extensions = {"sni_hostname": "pages.example.org"}
    with httpx.Client(
        base_url=address, verify=context, timeout=PATIENCE, headers=headers
    ) as client:

        def get(path: str) -> httpx.Response:
            return client.get(path, extensions=extensions)

        answer = get("/related/api/related?url=tea")
        assert answer.json()["results"][0]["url"] == "coffee"
        page = get("/related/?url=tea")
        assert page.status_code == 200
        style = page.text.partition('stylesheet" href="')[2].partition('"')[0]
        assert get(f"/related/{style}").headers["content-type"].startswith("text/css")
        for private in ("metrics", "%6detrics", "docs/metrics"):
            answer = get(f"/related/{private}")
            assert (answer.status_code, "x-request-id" in answer.headers) == (404, False), private
        assert get("/elsewhere").status_code in (200, 404)


@pytest.mark.needs_system("openssl")
@pytest.mark.needs_system("nginx-light")
def test_nginx_shows_the_server_under_a_path_with_tls(tmp_path: Path) -> None:
    certificate(tmp_path)
    with serving(GRAPH, root_path="/related", hosts="pages.example.org") as client:

        def configure(port: int) -> list[str]:
            site = (DEPLOY / "nginx.conf").read_text()
            for old, new in {
                "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
                "/etc/ssl/certs/pages.example.org.pem": str(tmp_path / "cert.pem"),
                "/etc/ssl/private/pages.example.org.key": str(tmp_path / "key.pem"),
                "127.0.0.1:8765": client.base_url.netloc.decode(),
            }.items():
                assert old in site
                site = site.replace(old, new)
            kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
            folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in kinds)
            user = "user root;\n" if os.geteuid() == 0 else ""
            (tmp_path / "nginx.conf").write_text(
                f"{user}daemon off;\npid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\n"
                f"http {{\naccess_log off;\n{folders}{site}}}\n"
            )
            return ["nginx", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]

        with proxy(tmp_path, configure) as port:
            trusted = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
            look(f"https://127.0.0.1:{port}", trusted)


@pytest.mark.needs_system("caddy")
def test_caddy_shows_the_server_under_a_path(tmp_path: Path) -> None:
    with serving(GRAPH, root_path="/related", hosts="pages.example.org") as client:

        def configure(port: int) -> list[str]:
            site = (DEPLOY / "Caddyfile").read_text()
            for old, new in {
                "\npages.example.org {": f"\nhttp://pages.example.org:{port} {{\n\tbind 127.0.0.1",
                "127.0.0.1:8765": client.base_url.netloc.decode(),
            }.items():
                assert old in site
                site = site.replace(old, new)
            (tmp_path / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{site}")
            return ["caddy", "run", "--config", str(tmp_path / "Caddyfile")]

        with proxy(tmp_path, configure) as port:
            look(f"http://127.0.0.1:{port}", False)


@pytest.mark.needs_system("systemd")
def test_systemd_accepts_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    unit = tmp_path / "whatsrelated.service"
    text = (DEPLOY / "whatsrelated.service").read_text()
    text = text.replace("/usr/local/bin/related", "/bin/sh").replace(  # which is there
        "Documentation=man:related(1)\n", ""
    )
    unit.write_text(text)
    verified = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False
    )
    assert (verified.returncode, verified.stderr) == (0, "")
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert judged.returncode == 0, judged.stdout


def test_the_container_installs_extras_that_exist_and_is_not_root() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    named = text.partition("/source[")[2].partition("]")[0].split(",")
    extras = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(named) <= set(extras)
    final = text.rpartition("\nFROM ")[2]
    assert "\nUSER 10001\n" in final
    assert "HEALTHCHECK" in final


def test_the_dashboard_queries_existing_metrics() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text())
    asked = {
        name
        for panel in board["panels"]
        for target in panel["targets"]
        for name in re.findall(r"related_\w+", target["expr"])
    }
    with serving(GRAPH) as client:
        client.get("/api/related?url=tea")
        given = set(re.findall(r"^(related_\w+)", client.get("/metrics").text, re.MULTILINE))
    assert asked <= given
    assert len(asked) > 8
