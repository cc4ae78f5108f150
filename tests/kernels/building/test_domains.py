"""Registrable domains: the rules of the public suffix list, compiled and plain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.building import domains as plain
from whatsrelated.names.hosts import domain_of, suffix_rules
from whatsrelated.stream import Names

LABELS = st.sampled_from(["a", "b", "co", "uk", "com", "kobe", "city", "jp", "ck", "www", "github"])
HOSTS = st.lists(LABELS, min_size=1, max_size=5).map(".".join)


def reverse(host: str) -> bytes:
    return ",".join(host.split(".")[::-1]).encode()


def domains(rules: object, hosts: list[str], before: bytes = b"") -> tuple[list[str], list[bool]]:
    """The domains of hosts, as names, and where they change."""
    names = Names.of(reverse(host) + b")/\x02" if host else b"plain" for host in hosts)
    sizes = np.array([len(reverse(host)) if host else 0 for host in hosts], np.uint32)
    lengths, changes = rules.domains(names.blob, names.offsets, sizes, before)  # type: ignore[attr-defined]
    cut = [reverse(host)[:size].decode() for host, size in zip(hosts, lengths, strict=True)]
    return [".".join(domain.split(",")[::-1]) for domain in cut], changes.tolist()


@pytest.fixture(scope="module")
def compiled() -> object:
    return kernels.domains.SuffixRules(suffix_rules())


def test_every_rule_gives_the_domain_that_publicsuffixlist_gives(compiled: object) -> None:
    """Each suffix alone, with one label before it, and with two."""
    suffixes = [rule.decode().split(",")[::-1] for rule in suffix_rules()]
    hosts = [".".join([*more, *labels]) for labels in suffixes for more in ([], ["x"], ["y", "x"])]
    assert len(hosts) > 25_000
    found, _ = domains(compiled, hosts)
    assert found == [domain_of.__wrapped__(host) for host in hosts]
    assert domains(plain.SuffixRules(suffix_rules()), hosts)[0] == found


@given(st.lists(HOSTS | st.just(""), max_size=8), HOSTS)
def test_the_compiled_rules_are_the_plain_ones(hosts: list[str], before: str) -> None:
    rules = {
        b"com": 1,
        b"uk": 1,
        b"uk,co": 1,
        b"jp": 1,
        b"jp,kobe": 2,
        b"jp,kobe,city": 4,
        b"ck": 2,
    }
    for first in (b"", reverse(before)):
        both = [kind.SuffixRules(rules) for kind in (kernels.domains, plain)]
        assert domains(both[0], hosts, first) == domains(both[1], hosts, first)


def test_odd_hosts_are_their_own_domains_in_any_case(compiled: object) -> None:
    hosts = [
        "localhost",
        "co.uk",
        "WWW.Example.CO.UK",
        "example.co.uk",
        "a..com",
        "",
        "b.ck",
        "com",
    ]
    found, changes = domains(compiled, hosts)
    assert found == [
        *("localhost", "co.uk", "Example.CO.UK", "example.co.uk", "a..com", "", "b.ck", "com"),
    ]
    assert changes == [True, True, True, False, True, True, True, True]
