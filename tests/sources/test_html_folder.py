"""A folder of HTML: links in the content, and no navigation."""

from __future__ import annotations

from collections import Counter

import pytest

from whatsrelated.sources.files import File
from whatsrelated.sources.html_folder import HtmlFolder, home_of
from whatsrelated.sources.reader import ReadContext, ReadOptions

BASE = "https://example.org/"


def site(root, **pages):
    """Write pages given as keyword arguments, `a__b` for a/b.html."""
    for name, markup in pages.items():
        path = root / (name.replace("__", "/") + ".html")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(markup if isinstance(markup, bytes) else markup.encode())
    return str(root)


def pages_of(root, *, text=False, **options):
    context = ReadContext(ReadOptions(text=text))
    return list(HtmlFolder(**{"workers": 1, **options}).read(File(root), context)), context


def read(root, **options):
    """The links of each page, and what was found and refused."""
    pages, context = pages_of(root, **options)
    links: dict[str, list[str]] = {}
    for page in pages:
        links.setdefault(page.url, []).extend(page.links)
    return links, context


def linked(*targets):
    return "".join(f'<a href="{target}">{target}</a>' for target in targets)


def test_pages_are_named_by_path_or_by_base_url(tmp_path):
    root = site(tmp_path, index=linked("a/b.html", "#x"), a__b=linked("..", "https://c.org/x"))
    assert read(root)[0] == {
        "index.html": ["a/b.html"],
        "a/b.html": ["index.html", "https://c.org/x"],
    }
    assert read(root, base_url=BASE)[0] == {
        BASE: [BASE + "a/b.html"],
        BASE + "a/b.html": [BASE, "https://c.org/x"],
    }


def test_each_target_counts_once_in_page_order_and_never_the_page_itself(tmp_path):
    root = site(tmp_path, a=linked("b.html", "c.html", "b.html#x", "a.html", "./c.html"))
    assert read(root)[0] == {"a.html": ["b.html", "c.html"]}


def test_a_base_element_moves_relative_links(tmp_path):
    root = site(tmp_path, a='<base href="/sub/">' + linked("b.html"), b='<base href="http://[">')
    assert read(root)[0] == {"a.html": ["sub/b.html"], "b.html": []}


def test_navigation_is_left_out_and_counted_unless_asked_for(tmp_path):
    page = f"<nav>{linked('home.html', 'b.html')}</nav>{linked('b.html', 'c.html')}"
    root = site(tmp_path, a=page)
    pages, context = read(root)
    assert pages == {"a.html": ["b.html", "c.html"]}
    assert context.counts == {
        "html": Counter(
            {
                "pages": 1,
                "links": 2,
                "navigation links left out": 1,
                "links to missing pages": 3,
            }
        )
    }
    assert read(root, links="all")[0] == {"a.html": ["home.html", "b.html", "c.html"]}


def test_links_that_rel_disowns_are_left_out_unless_asked_for(tmp_path):
    root = site(tmp_path, a='<a href=b.html rel="ugc">x</a>' + linked("c.html"))
    pages, context = read(root)
    assert pages == {"a.html": ["c.html"]}
    assert context.counts["html"]["nofollow links left out"] == 1
    assert read(root, rel="all")[0] == {"a.html": ["b.html", "c.html"]}


def test_sections_can_be_read_separately(tmp_path):
    page = linked("b.html") + "<h2>See also</h2>" + linked("c.html", "b.html")
    root = site(tmp_path, a=page)
    assert read(root, section="body")[0] == {"a.html": ["b.html"]}
    assert read(root, section="see-also")[0] == {"a.html": ["c.html", "b.html"]}
    assert read(root)[0] == {"a.html": ["b.html", "c.html"]}


def many(root, pages, shared, share):
    """A site whose pages link to the next one, and the first `share` of them to `shared`."""
    for number in range(pages):
        targets = [f"{(number + 1) % pages}.html", *([shared] if number < share else [])]
        site(root, **{str(number): linked(*targets)})
    return str(root)


def test_targets_of_most_pages_are_left_out_as_templates(tmp_path):
    pages, context = read(many(tmp_path, 20, "imprint.html", 11))
    assert context.counts["html"]["template links left out"] == 11
    assert context.counts["html"]["links"] == 20
    assert not any("imprint.html" in links for links in pages.values())


def test_what_half_of_the_pages_link_to_is_kept(tmp_path):
    found = read(many(tmp_path, 20, "imprint.html", 10))[0]
    assert sum("imprint.html" in links for links in found.values()) == 10


def test_text_links_that_most_pages_share_are_not_a_template(tmp_path):
    wrappers = ["<p>{}</p>", "<ul><li>{}</ul>", "<table><td>{}</table>", "<dl><dd>{}</dl>"]
    footer = f"<div><div>{linked('imprint.html')}</div></div>"
    texts = {
        f"p{n}": "<p>x</p>" * n + wrappers[n % 4].format(linked("errors.html")) + footer
        for n in range(40)
    }
    texts["p7"] += f"<p>{linked('imprint.html')}</p>"
    found, context = read(site(tmp_path, **texts))
    assert all("errors.html" in links for links in found.values())
    assert [name for name, links in found.items() if "imprint.html" in links] == ["p7.html"]
    assert context.counts["html"]["template links left out"] == 39


def test_a_button_with_the_same_label_on_most_pages_is_a_template_wherever_it_leads(tmp_path):
    texts = {
        f"p{n}": f"{'<div>menu</div>' * (n % 2)}<div><a href=edit{n}.html>Edit</a></div>"
        "<ul><li><a href=tea.html>Tea</a></ul>"
        f"{'<ul></ul>' * n}<ul><li><a href=b.html>B</a></ul>"
        for n in range(9)
    }
    found = read(site(tmp_path, **texts))[0]
    assert all(links == ["b.html"] for links in found.values()), (
        "the first list has one place, the second has a different one on each page"
    )


@pytest.mark.parametrize(
    "mark", ["class='wide prose'", "itemprop=articleBody", "class=entry-content"]
)
def test_links_outside_the_marked_text_of_a_page_are_the_themes(tmp_path, mark):
    text = f"<p>{linked('tea.html')}</p><aside>{linked('note.html')}</aside>"
    page = f"{linked('menu.html')}<div {mark}>{text}</div><ul>{linked('also.html')}</ul>"
    found, context = read(site(tmp_path, one=page, tea="", other=f"{page}{linked('tea.html')}"))
    assert found["one.html"] == found["other.html"] == ["tea.html", "note.html"]
    assert context.counts["html"]["template links left out"] == 4
    assert len(read(str(tmp_path), links="all")[0]["one.html"]) == 4


def test_text_is_marked_only_once_and_has_most_paragraphs(tmp_path):
    text = f"<div class=prose><p>{linked('tea.html')}</p></div>"
    twice = f"{text}{text}{linked('b.html')}"
    teaser = f"{text}<p>{linked('b.html')}</p><p>Milk</p><p>Sugar</p>"
    landmark = f"{text}<nav><p>1</p><p>2</p></nav>{linked('b.html')}"
    found = read(site(tmp_path, twice=twice, teaser=teaser, landmark=landmark))[0]
    assert found["twice.html"] == found["teaser.html"] == ["tea.html", "b.html"]
    assert found["landmark.html"] == ["tea.html"]


def test_the_pager_of_a_theme_without_rel_is_a_template(tmp_path):
    def numbered(n):
        return f"p{n % 9}.html"

    texts = {
        f"p{n}": f"<div><a href={numbered(n + 8)}>Previous</a>"
        f"<a href={numbered(n + 1)} aria-label='Next: page {n + 1}'></a>"
        f"</div>{'<p>x</p>' * n}<p>{linked(numbered(n + 4))}</p>"
        for n in range(9)
    }
    found = read(site(tmp_path, **texts))[0]
    assert found == {numbered(n): [numbered(n + 4)] for n in range(9)}


THEME = "<div class=top><a href=index.html>Home</a> <a href=news.html>News</a></div><p>{}</p>"


def themed(root, pages):
    """A small site whose theme has its menu in a plain div; each page links to the next."""
    names = ["index", "news", *(f"p{number}" for number in range(pages - 2))]
    following = [*names[1:], names[0]]
    texts = {
        name: THEME.format(linked(f"{to}.html")) for name, to in zip(names, following, strict=True)
    }
    return site(root, **texts)


@pytest.mark.parametrize("pages", [4, 6, 19])
def test_on_a_small_site_links_at_the_same_place_of_most_pages_are_templates(tmp_path, pages):
    root = themed(tmp_path, pages)
    (tmp_path / "p0.html").write_text(THEME.format("p1") + linked("news.html"))
    found, context = read(root)
    assert "news.html" not in found["p1.html"]
    assert found["p0.html"] == ["news.html"], "which the text has, too"
    left_out = context.counts["html"]["template links left out"]
    assert left_out == 2 * (pages - 1) - 3, "the text of three pages has such a link, too"


def test_three_pages_or_links_in_other_places_do_not_make_a_template(tmp_path):
    assert "news.html" in read(themed(tmp_path / "three", 3))[0]["p0.html"]
    texts = {f"p{n}": "<p>x</p>" * n + f"<p>{linked('tea.html')}</p>" for n in range(8)}
    found = read(site(tmp_path / "wiki", **texts))[0]
    assert all(links == ["tea.html"] for links in found.values())


def test_a_page_that_the_theme_of_a_small_site_leads_to_is_reached_by_navigation(tmp_path):
    root = themed(tmp_path, 5)
    (tmp_path / "index.html").write_text(THEME.format(linked("p0.html")))
    pages = {page.url: page for page in pages_of(root)[0]}
    assert pages["news.html"].navigation == 4
    assert not any("news.html" in page.links for page in pages.values())


def test_templates_are_found_for_each_site(tmp_path):
    many(tmp_path / "a.org", 20, "https://t.org/", 20)
    many(tmp_path / "b.org", 30, "https://t.org/", 5)
    pages = read(str(tmp_path), base_url="https://")[0]
    linking = [url for url, links in pages.items() if "https://t.org/" in links]
    assert sorted(linking) == [f"https://b.org/{n}.html" for n in range(5)]


def test_a_page_folds_into_its_canonical_one(tmp_path):
    root = site(
        tmp_path,
        a=linked("print/b.html", "c.html"),
        b=linked("a.html"),
        print__b='<link rel=canonical href="../b.html">' + linked("../x.html"),
    )
    pages, context = read(root)
    assert pages == {"a.html": ["b.html", "c.html"], "b.html": ["a.html"]}
    assert context.counts["html"]["copies of other pages"] == 1


def test_a_canonical_page_that_was_not_read_has_the_links_of_its_copies(tmp_path):
    root = site(tmp_path, a='<title>T</title><link rel=canonical href="/b">' + linked("c.html"))
    [page] = pages_of(root)[0]
    assert (page.url, list(page.links), page.title) == ("b", ["c.html"], "T")


def test_a_redirect_folds_when_it_is_soon(tmp_path):
    def meta(seconds, target):
        return f'<meta http-equiv=refresh content="{seconds}; url={target}">'

    root = site(tmp_path, a=meta(0, "b.html"), b=linked("a.html", "slow.html", "self.html"))
    site(tmp_path, slow=meta(30, "b.html"), self=meta(0, "self.html") + linked("a.html"))
    assert read(root)[0] == {
        "b.html": ["slow.html", "self.html"],
        "slow.html": [],
        "self.html": ["b.html"],
    }


def test_copies_of_copies_and_circles_end(tmp_path):
    def same(target):
        return f'<link rel=canonical href="{target}.html">'

    root = site(tmp_path, a=same("b"), b=same("c"), c=linked("a.html", "y.html", "d.html"))
    site(tmp_path, x=same("y") + linked("a.html"), y=same("x"))
    assert read(root)[0] == {"c.html": ["x.html", "d.html"], "x.html": ["c.html"]}
    chain = {f"n{number}": same(f"n{number + 1}") for number in range(40)}
    chain["n0"] += linked("tea.html")
    assert read(site(tmp_path / "chain", **chain))[0] == {"n40.html": ["tea.html"]}


def test_the_canonical_address_shows_where_the_folder_is_served(tmp_path):
    def at(path):
        return f'<link rel=canonical href="https://docs.example.org/3/{path}">'

    root = site(
        tmp_path,
        index=at("") + linked("https://docs.example.org/3/lib/os", "lib/re.html"),
        lib__os=at("lib/os.html") + linked("https://docs.example.org/3/", "https://example.org/"),
        lib__re=at("lib/re.html"),
        old=at("lib/re.html"),
    )
    assert read(root)[0] == {
        "index.html": ["lib/os.html", "lib/re.html"],
        "lib/os.html": ["index.html", "https://example.org/"],
        "lib/re.html": [],
    }
    assert set(read(root, base_url=BASE)[0]) == {BASE, BASE + "lib/os.html", BASE + "lib/re.html"}


def test_where_a_folder_is_served():
    assert home_of("https://a.org/d/x/y.html", "x/y.html") == "https://a.org/d/"
    assert home_of("https://a.org/d/x/", "x/index.html") == "https://a.org/d/"
    assert home_of("https://a.org/d/x/y", "x/y.html") == "https://a.org/d/"
    assert home_of("https://a.org/d/", "index.html") == "https://a.org/d/"
    assert home_of("https://a.org/other.html", "x/y.html") == ""
    assert home_of("other.html", "other.html") == ""


def test_a_canonical_address_shared_by_most_pages_is_ignored(tmp_path):
    for number in range(20):
        page = '<link rel=canonical href="https://a.org/">' + linked(f"{(number + 1) % 20}.html")
        site(tmp_path, **{str(number): page})
    assert len(read(str(tmp_path))[0]) == 20


def test_anchors_titles_and_words_are_kept_on_request(tmp_path):
    root = site(tmp_path, a="<title>A</title><body>tea " + linked("b.html"))
    [page] = pages_of(root, anchors=True, text=True)[0]
    assert (page.title, page.text, list(page.anchors)) == ("A", "tea b.html", ["b.html"])
    [page] = pages_of(root)[0]
    assert (page.text, list(page.anchors)) == (None, [])


def test_bad_addresses_are_counted(tmp_path):
    root = site(tmp_path, a=linked("http://[", "b.html", "http://[x", "y" * 9000))
    pages, context = read(root)
    assert pages == {"a.html": ["b.html"]}
    assert context.refused.counts == {"not a URL": 2, "too long": 1}


def test_files_without_an_extension_are_checked(tmp_path):
    site(tmp_path, a=linked("page", "data", "x.php?id=1"))
    (tmp_path / "page").write_text("<!doctype html>" + linked("a.html"))
    (tmp_path / "x.php?id=1").write_text("<html>" + linked("a.html"))
    (tmp_path / "data").write_text("1 2")
    assert read(str(tmp_path))[0] == {
        "a.html": ["page", "data", "x.php?id=1"],
        "page": ["a.html"],
        "x.php?id=1": ["a.html"],
    }


def test_the_same_pages_come_whatever_the_number_of_workers(tmp_path):
    root = many(tmp_path, 60, "imprint.html", 20)
    one, three = (pages_of(root, workers=workers)[0] for workers in (1, 3))
    assert one == three
    assert len(one) == 60
