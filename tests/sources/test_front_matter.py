"""Front matter: the keys that name a page, in any form that people write."""

from __future__ import annotations

import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.sources.front_matter import NAMING_KEYS, split_front_matter


def values(text, fence="---"):
    return split_front_matter(f"{fence}\n{text}\n{fence}\nbody").values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("title: Tea time", {"title": ["Tea time"]}),
        ("title: Tea: a history # no", {"title": ["Tea: a history"]}),
        ("title: 'It''s tea'", {"title": ["It's tea"]}),
        (r'title: "a \"b\" \u00fc \t\\"', {"title": ['a "b" ü \t\\']}),
        ('title: "two\n  lines"', {"title": ["two lines"]}),
        ("title: >-\n  folded\n  text\nslug: x", {"title": ["folded text"], "slug": ["x"]}),
        ("aliases: [a, 'b, c', \"d\"]", {"aliases": ["a", "b, c", "d"]}),
        ("aliases: [\n  a,\n  b\n]", {"aliases": ["a", "b"]}),
        ("aliases:\n  - a\n  - 'b: c'\n- d", {"aliases": ["a", "b: c", "d"]}),
        ("aliases:\n- a\n-\n- ~", {"aliases": ["a"]}),
        ("alias: one", {"alias": ["one"]}),
        ("title:\nslug: ''", {"title": [], "slug": [""]}),
        ("author:\n  title: Dr\nTitle: Tea", {"title": ["Tea"]}),
        ("title: one\ntitle: two", {"title": ["one"]}),
        ("title: null", {"title": []}),
    ],
)
def test_the_requested_keys_are_read(text, expected):
    assert values(text) == expected


def test_toml_is_read_too():
    assert values('title = "Tea"\nslug = \'x\'\naliases = ["a", "b"]', "+++") == {
        "title": ["Tea"],
        "slug": ["x"],
        "aliases": ["a", "b"],
    }


def test_the_text_after_it_is_left_alone():
    split = split_front_matter("---\r\ntitle: T\r\n---\r\n# Tea\n---\nend")
    assert (split.values, split.body) == ({"title": ["T"]}, "# Tea\n---\nend")
    for text in ("", "# Tea", "----\ntitle: x\n---", " ---\n", "text\n---\ntitle: x\n---\n"):
        assert split_front_matter(text) == ({}, "", text, False)


def test_front_matter_that_never_ends_is_text():
    for text in ("---\ntitle: Tea\n", "---\n" + "x: y\n" * 100_000 + "---\n"):
        split = split_front_matter(text)
        assert (split.values, split.body, split.broken) == ({}, text, True)


@pytest.mark.parametrize(
    "hostile",
    [
        "a: &a [x]\n" + "\n".join(f"b{n}: &b{n} [*a, *a]" for n in range(30)),
        "title: " + "[" * 60_000,
        "title: " + '"' + "\\" * 60_000,
        "title: !!python/object/apply:os.system ['true']",
        "aliases:\n" + "- x\n" * 15_000,
        "title:\n" + "\n" * 60_000,
        "title: [\n" * 8_000,
        "\x00: \x00\ntitle: \x00",
        "%YAML 9.9\n\t- - -\n title",
    ],
)
def test_hostile_front_matter_costs_no_more_than_its_length(hostile):
    begun = time.process_time()
    found = values(hostile)
    assert time.process_time() - begun < 20
    assert all(isinstance(value, str) for listed in found.values() for value in listed)


SCALARS = st.text("ab ü:#'\"\\-,[]x1", min_size=1, max_size=12).map(str.strip).filter(bool)


@given(
    st.dictionaries(
        st.sampled_from([*NAMING_KEYS, "other"]),
        SCALARS | st.lists(SCALARS, min_size=1),
        min_size=1,
    ),
    st.booleans(),
)
def test_the_output_of_a_yaml_library_is_read_back(mapping, flow):
    blocks = {**mapping, "nested": [["so that the mapping itself is a block"]]}
    text = yaml.safe_dump(blocks, default_flow_style=None if flow else False, allow_unicode=True)
    listed = {key: value if isinstance(value, list) else [value] for key, value in mapping.items()}
    listed.pop("other", None)
    assert values(text) == listed


def test_a_yaml_library_reads_the_same_from_real_notes(vault):
    texts = [path.read_text() for path in vault.rglob("*.md")]
    assert len(texts) > 150
    for text in texts:
        split = split_front_matter(text)
        whole = yaml.safe_load(split.raw) or {}
        for key in NAMING_KEYS:
            value = whole.get(key)
            listed = [] if value is None else value if isinstance(value, list) else [value]
            assert split.values.get(key, []) == [str(item) for item in listed]
