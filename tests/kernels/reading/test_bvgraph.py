"""The BVGraph decoder reads what a plain encoder wrote, and survives arbitrary bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.kernels.reading import bvgraph as plain
from whatsrelated.kernels.reading.bvgraph import CUT, DELTA, GAMMA, GOOD, NIBBLE, UNARY, ZETA

compiled = pytest.importorskip(
    "whatsrelated.kernels.reading._bvgraph", reason="kernels not compiled"
)
both = pytest.mark.parametrize("module", [compiled, plain], ids=["compiled", "plain"])


class Encoder:
    """BV04 by the book; `choose` decides how far back each list looks."""

    def __init__(self, window: int, shortest: int, zeta_k: int, codes: Any, choose: Any) -> None:
        self.window, self.shortest, self.zeta_k, self.codes = window, shortest, zeta_k, codes
        self.choose = choose
        self.bits = ""

    def encode(self, graph: list[list[int]]) -> bytes:
        for page, links in enumerate(graph):
            self.page(page, links, graph)
        return int(self.bits.ljust(-(-len(self.bits) // 8) * 8, "0") or "0", 2).to_bytes(
            -(-len(self.bits) // 8), "big"
        )

    def page(self, page: int, links: list[int], graph: list[list[int]]) -> None:
        outdegrees, references, block_counts, blocks, residuals = self.codes
        self.write(outdegrees, len(links))
        if not links:
            return
        back = self.choose(min(self.window, page))
        if self.window:
            self.write(references, back)
        left = links
        if back:
            kept = [other in links for other in graph[page - back]]
            runs = [0]
            for keep in kept:
                if keep != (len(runs) % 2 == 1):
                    runs.append(0)
                runs[-1] += 1
            runs.pop()
            self.write(block_counts, len(runs))
            for i, run in enumerate(runs):
                self.write(blocks, run - (i > 0))
            left = [link for link in links if link not in graph[page - back]]
        if not left:
            return
        ranges, others = self.intervals(left)
        if self.shortest:
            self.write(GAMMA, len(ranges))
        end = page
        for i, (first, size) in enumerate(ranges):
            self.write(GAMMA, folded(first - end) if i == 0 else first - end - 1)
            self.write(GAMMA, size - self.shortest)
            end = first + size
        for i, link in enumerate(others):
            gap = folded(link - page) if i == 0 else link - others[i - 1] - 1
            self.write(residuals, gap)

    def intervals(self, links: list[int]) -> tuple[list[tuple[int, int]], list[int]]:
        runs: list[list[int]] = []
        for link in links:
            if runs and link == runs[-1][-1] + 1:
                runs[-1].append(link)
            else:
                runs.append([link])
        long = [run for run in runs if self.shortest and len(run) >= self.shortest]
        return [(run[0], len(run)) for run in long], [
            link for run in runs if run not in long for link in run
        ]

    def write(self, code: int, value: int) -> None:
        if code == UNARY:
            self.bits += "0" * value + "1"
        elif code == GAMMA:
            size = (value + 1).bit_length() - 1
            self.bits += "0" * size + f"{value + 1:b}"
        elif code == DELTA:
            size = (value + 1).bit_length() - 1
            self.write(GAMMA, size)
            self.bits += f"{value + 1:b}"[1:]
        elif code == ZETA:
            k, value = self.zeta_k, value + 1
            h = (value.bit_length() - 1) // k
            self.write(UNARY, h)
            low, limit = 1 << h * k, (1 << (h + 1) * k) - (1 << h * k)
            self.truncated(value - low, limit)
        else:
            octal = f"{value:o}"
            for i, digit in enumerate(octal):
                self.bits += ("1" if i == len(octal) - 1 else "0") + f"{int(digit):03b}"

    def truncated(self, value: int, limit: int) -> None:
        """Minimal binary code of a value below `limit`."""
        size = (limit - 1).bit_length()
        short = (1 << size) - limit
        if size == 0:
            return
        if value < short:
            self.bits += f"{value:0{size - 1}b}" if size > 1 else ""
        else:
            self.bits += f"{value + short:0{size}b}"


def folded(value: int) -> int:
    return 2 * value if value >= 0 else -2 * value - 1


def decoded(module: Any, data: bytes, nodes: int, arcs: int, *settings: Any) -> Any:
    reader = module.BVGraph(np.frombuffer(data, np.uint8), nodes, arcs, *settings)
    links: list[tuple[int, int]] = []
    while reader.node < nodes and not reader.fault:
        sources, targets = reader.read(5)
        links += zip(sources.tolist(), targets.tolist(), strict=True)
    return links, reader.fault, reader.node


some_codes = st.tuples(
    st.sampled_from([GAMMA, DELTA]),
    st.sampled_from([UNARY, GAMMA, DELTA]),
    st.sampled_from([UNARY, GAMMA, DELTA]),
    st.sampled_from([UNARY, GAMMA, DELTA]),
    st.sampled_from([GAMMA, DELTA, ZETA, NIBBLE]),
)


@given(
    st.lists(st.frozensets(st.integers(0, 19) | st.integers(5, 9), max_size=16), max_size=20),
    st.sampled_from([0, 1, 7]),
    st.sampled_from([0, 2, 4]),
    st.integers(1, 5),
    some_codes,
    st.data(),
)
def test_a_written_graph_is_read_back(
    rows: list[frozenset[int]], window: int, shortest: int, zeta_k: int, codes: Any, data: Any
) -> None:
    graph = [sorted(row) for row in rows]
    nodes = max(20, len(graph))
    graph += [[] for _ in range(nodes - len(graph))]
    encoder = Encoder(window, shortest, zeta_k, codes, lambda most: data.draw(st.integers(0, most)))
    written = encoder.encode(graph)
    links = [(page, link) for page, row in enumerate(graph) for link in row]
    settings = (window, shortest, zeta_k, codes)
    for module in (compiled, plain):
        assert decoded(module, written, nodes, len(links), *settings) == (links, GOOD, nodes)
        for cut in {data.draw(st.integers(0, len(written) - 1)), len(written) - 1}:
            found, fault, _ = decoded(module, written[:cut], nodes, len(links), *settings)
            assert found == links[: len(found)]
            assert fault == CUT or (found == links and cut == len(written) - 1)


@given(
    st.binary(max_size=40),
    st.sampled_from([0, 3]),
    st.sampled_from([0, 1, 4]),
    st.integers(1, 3),
    some_codes,
)
def test_both_stop_at_the_same_place_on_any_bytes(
    data: bytes, window: int, shortest: int, zeta_k: int, codes: Any
) -> None:
    settings = (50, 400, window, shortest, zeta_k, codes)
    assert decoded(compiled, data, *settings) == decoded(plain, data, *settings)


@both
def test_a_value_with_more_bits_than_a_page_number_is_an_error(module: Any) -> None:
    data = b"\0" * 8 + b"\x01" + b"\xff" * 30
    assert decoded(module, data, 50, 400, 0, 0, 3, (GAMMA,) * 5) == ([], plain.WRONG, 0)
