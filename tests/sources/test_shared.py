"""Every link list beside the project builds with the counts of its README.

`read` is the number of links as they are in the files, `links` the number of
distinct ones without those of a page to itself; the README gives the one or the
other, and each is checked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from whatsrelated import api
from whatsrelated.stream import Refused

SETS: dict[str, tuple[str, dict[str, Any], tuple[int, int, int], bool]] = {
    # sources, settings, (pages, links, read), ordered
    "randomized_algorithms": (
        "toronto/randomized_algorithms/adj_list",
        {"names_file": "toronto/randomized_algorithms/nodes"},
        (742, 1205, 1205),
        True,
    ),
    "computational_complexity": (
        "toronto/computational_complexity/adj_list",
        {"names_file": "toronto/computational_complexity/nodes"},
        (1075, 2181, 2181),
        True,
    ),
    "search_engines": (
        "toronto/search_engines/adj_list.gz",
        {"names_file": "toronto/search_engines/nodes.gz"},
        (11_659, 292_236, 292_236),
        True,
    ),
    "movies": ("toronto/movies/adj_list", {}, (7967, 28_814, 28_814), True),
    "recipes": ("toronto/recipes/adj_list", {}, (5243, 18_152, 18_152), True),
    "genetic": ("toronto/genetic/genetic.dat", {}, (5298, 19_261, 19_261), True),
    "california": ("california/gr0.California", {}, (9664, 16_150, 16_150), True),
    "epa": ("epa/gr0.Epa", {}, (4772, 8965, 8965), True),
    "hollins": (
        "hollins/hollins_edges.txt",
        {"names_file": "hollins/hollins_urls.txt", "ordered": False},
        (6012, 23_875, 23_875),
        False,
    ),
    "cs_stanford": (
        "cs_stanford/edges.tsv",
        {"names_file": "cs_stanford/labels.txt", "ordered": False},
        (9914, 35_555, 36_854),
        False,
    ),
    "harvard500": (
        "harvard500/edges.tsv",
        {"names_file": "harvard500/urls.tsv", "ordered": False},
        (500, 2563, 2636),
        False,
    ),
    "mathworks100": (
        "mathworks100/edges.tsv",
        {"names_file": "mathworks100/labels.txt", "ordered": False},
        (100, 548, 632),
        False,
    ),
    "polblogs": ("polblogs/polblogs.gml.gz", {"ordered": False}, (1490, 19_022, 19_090), False),
    "cora": ("cora_citeseer/cora_edges.tsv", {"ordered": False}, (2708, 5429, 5429), False),
    "citeseer": (
        "cora_citeseer/citeseer_edges.tsv",
        {"names_file": "cora_citeseer/citeseer_labels.tsv", "ordered": False},
        (3312, 4591, 4715),
        False,
    ),
    "wikispeedia": (
        "wikispeedia/articles.tsv wikispeedia/links.tsv.gz",
        {"order_file": "wikispeedia/page_pos_dict.json.gz"},
        (4604, 119_772, 119_882),
        True,
    ),
    "mdn": (
        "mdn/links.tsv.gz",
        {"names_file": "mdn/pages.tsv.gz", "where": "section=body"},
        (14_593, 108_319, 143_625),
        True,
    ),
    "obsidian_help": (
        "obsidian_help/links.tsv.gz",
        {"names_file": "obsidian_help/pages.tsv.gz"},
        (173, 963, 1394),
        True,
    ),
    "cnr-2000 as a BVGraph": ("law/cnr-2000.graph", {}, (325_557, 3_128_710, 3_216_152), False),
    "cnr-2000 as text": (
        "law/cnr-2000.adj.txt.gz",
        {"ordered": False},
        (325_557, 3_128_710, 3_216_152),
        False,
    ),
}


def built(name: str, data: Path, tmp_path: Path) -> api.Graph:
    sources, settings, _, _ = SETS[name]
    settings = dict(settings)
    for option in ("names_file", "order_file"):
        if option in settings:
            settings[option] = str(data / settings[option])
    refused = Refused()
    paths = [data / source for source in sources.split()]
    graph = api.build(paths, tmp_path / "x.graph", urls="keep", refused=refused, **settings)
    assert not refused.total()
    return graph


@pytest.mark.parametrize("name", SETS)
def test_a_real_graph_has_the_counts_of_its_readme(name: str, shared: Path, tmp_path: Path) -> None:
    graph = built(name, shared / "data", tmp_path)
    counts = len(graph), graph.n_links, graph.store.manifest["read_links"]
    assert counts == SETS[name][2]
    assert graph.store.ordered == SETS[name][3]


def test_both_forms_of_cnr_2000_are_one_graph(shared: Path, tmp_path: Path) -> None:
    packed = built("cnr-2000 as a BVGraph", shared / "data", tmp_path / "packed").store
    text = built("cnr-2000 as text", shared / "data", tmp_path / "text").store
    for array in ("out_offsets", "out_links", "in_offsets", "in_links"):
        assert np.array_equal(getattr(packed, array), getattr(text, array))
    assert packed.fingerprint == text.fingerprint


def test_wikispeedias_links_stand_in_reading_order(shared: Path, tmp_path: Path) -> None:
    graph = built("wikispeedia", shared / "data", tmp_path)
    links = [graph.url(page) for page in graph.links_from(graph.page("Áedán_mac_Gabráin"))]
    assert links[:4] == ["Dál_Riata", "Scotland", "Ireland", "Columba"]


def test_titles_come_with_torontos_nodes(shared: Path, tmp_path: Path) -> None:
    graph = built("computational_complexity", shared / "data", tmp_path)
    page = graph.store.names.page_of("http://www.birkhauser.ch/journals/3700/3700_tit.htm")
    assert page is not None
    assert graph.title(page) == "CC Published by Birkhäuser Verlag AG"
