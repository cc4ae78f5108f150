"""Machines that a crawl never contacts, by any name or address."""

from __future__ import annotations

import asyncio
import ipaddress
import socket

import pytest

from whatsrelated.apps.crawl.network import Network, Unreachable, is_public, parse_resolve
from whatsrelated.errors import OptionError

PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
    *("100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1"),
    *("fd00:ec2::254", "fec0::1", "3fff::1", "192.0.0.8"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_address_inside_another_is_not_public(address):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34"])
def test_public_addresses_are_public(address):
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "169.254.169.254", "[::ffff:7f00:1]"])
def test_addresses_in_urls_are_checked_without_resolving(host):
    with pytest.raises(Unreachable):
        Network({}).require_reachable(f"http://{host}/")


def resolve(network, host, port=80):
    return [one["host"] for one in asyncio.run(network.resolve(host, port, socket.AF_INET))]


def test_a_name_that_leads_to_a_private_address_is_not_reached():
    network = Network({})
    with pytest.raises(Unreachable):
        resolve(network, "localhost")
    with pytest.raises(Unreachable):
        resolve(Network({"a.org": "10.0.0.1"}), "a.org")


def test_the_address_of_the_first_url_is_reached_at_its_port_alone():
    network = Network({"a.org": "127.0.0.1", "b.org": "127.0.0.1"})
    assert asyncio.run(network.allow_start("http://a.org:8000/")) is True
    assert resolve(network, "b.org", 8000) == ["127.0.0.1"]
    with pytest.raises(Unreachable):
        resolve(network, "b.org", 6379)
    network = Network({})
    assert asyncio.run(network.allow_start("http://127.0.0.1:8000/")) is True
    network.require_reachable("http://127.0.0.1:8000/x")
    with pytest.raises(Unreachable):
        network.require_reachable("http://127.0.0.1:22/")


def test_a_name_that_changes_its_address_gains_nothing():
    given = {"a.org": "93.184.216.34"}
    network = Network(given)
    assert asyncio.run(network.allow_start("http://a.org/")) is False
    given["a.org"] = "127.0.0.1"
    with pytest.raises(Unreachable):
        resolve(network, "a.org")


def test_addresses_are_given_by_host():
    assert parse_resolve("A.org=127.0.0.1\n*=[::1]") == {"a.org": "127.0.0.1", "*": "::1"}
    for wrong in ("a.org", "a.org=b.org", "=127.0.0.1"):
        with pytest.raises(OptionError, match=r"the form example\.org=127\.0\.0\.1"):
            parse_resolve(wrong)


@pytest.mark.parametrize("start", ["http://intranet.example/", "http://metadata.example:80/"])
def test_a_start_name_that_resolves_to_a_private_address_is_not_reached(monkeypatch, start):
    network = Network({})

    async def look_up(host, port, family):
        return [{"host": "10.0.0.1"}]

    monkeypatch.setattr(network, "_look_up", look_up)
    asyncio.run(network.allow_start(start))
    with pytest.raises(Unreachable):
        resolve(network, "intranet.example")


@pytest.mark.parametrize("address", ["169.254.169.254", "fe80::1", "::ffff:169.254.169.254"])
def test_a_link_local_address_is_never_reached(address):
    for given in ({}, {"*": address}, {"a.org": address}, {"*": "127.0.0.1"}):
        network = Network(given)
        host = f"[{address}]" if ":" in address else address
        asyncio.run(network.allow_start(f"http://{host}/"))
        with pytest.raises(Unreachable):
            network.require_reachable(f"http://{host}/")
    network = Network({"*": address})
    asyncio.run(network.allow_start("http://a.org/"))
    with pytest.raises(Unreachable):
        resolve(network, "a.org")
