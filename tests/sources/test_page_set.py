"""Many pages: copies are merged, and no site can add links to another's page."""

from __future__ import annotations

from collections import Counter

from whatsrelated.sources import page_set
from whatsrelated.sources.page_records import PageRecord
from whatsrelated.sources.page_set import PageSet, resolve_copies


def read(records, redirects=()):
    pages = PageSet()
    for record in records:
        pages.add(record)
    for name, target in redirects:
        pages.add_redirect(name, target)
    pages.find_templates(records)
    pages.find_copies(records)
    return {page.url: list(page.links) for page in pages.pages(records, Counter())}


def page(name, *links, same_as=""):
    return PageRecord(path=name, name=name, links=list(links), same_as=same_as)


A, B, C = "https://a.org/", "https://www.a.org/b", "https://c.org/"


def test_links_lead_to_the_final_target_of_redirects():
    pages = [page(A, "https://a.org/1", C)]
    redirects = [("https://a.org/1", "https://a.org/2"), ("https://a.org/2", B)]
    assert read(pages, redirects) == {A: [B, C]}


def test_a_redirect_to_a_page_that_was_not_read_makes_no_page():
    assert read([page(A, "https://x.org/")], [("https://x.org/", "https://y.org/")]) == {
        A: ["https://y.org/"]
    }


def test_a_copy_has_the_name_of_its_original_in_the_same_domain():
    assert read([page(A, C, same_as=B)]) == {B: [C]}


def test_a_page_cannot_put_its_links_into_a_page_of_another_domain_that_was_not_read():
    assert read([page(A, B, same_as=C)]) == {A: [B]}
    assert read([page(A, B, same_as=C), page(C, A)]) == {C: []}


def test_a_canonical_address_shared_by_most_pages_of_a_site_is_ignored():
    many = [page(f"{A}{number}", same_as=A) for number in range(20)]
    assert len(read(many)) == 20
    others = [page(f"{C}{number}", B) for number in range(60)]
    assert len(read([*many, *others])) == 80
    assert len(read([*many[:19], *others])) == 61


def test_circles_of_copies_end_at_the_first_name():
    assert resolve_copies({"b": "a", "a": "b", "c": "b"}) == {"a": "a", "b": "a", "c": "a"}


def test_pages_that_navigation_leads_to_are_counted_with_templates_and_under_their_final_name():
    records = [page(f"{A}{number}", A) for number in range(20)]
    records.append(page(A, f"{A}1"))
    records[3].navigation = [f"{A}5", f"{A}old"]
    records[4].navigation = [f"{A}5"]
    pages = PageSet()
    for record in records:
        pages.add(record)
    pages.add_redirect(f"{A}old", f"{A}6")
    pages.find_templates(records)
    pages.find_copies(records)
    counts = {one.url: one.navigation for one in pages.pages(records, Counter())}
    assert counts[A] == 20, "a link that a template puts on every page is navigation"
    assert (counts[f"{A}5"], counts[f"{A}6"], counts[f"{A}7"]) == (2, 1, 0)


def test_navigation_to_too_many_pages_is_not_counted(monkeypatch):
    monkeypatch.setattr(page_set, "MAX_NAVIGATION", 1)
    record = page(A, B)
    record.navigation = [f"{A}1", f"{A}2"]
    pages = PageSet()
    pages.add(record)
    pages.find_templates([record])
    pages.find_copies([record])
    (one,) = pages.pages([record], Counter())
    assert one.navigation is None


def test_template_links_are_separate_for_each_small_site_of_an_archive():
    def placed(name, target):
        record = page(name, target)
        record.places = [[(7, 0)]]
        return record

    small = [placed(f"{A}{number}", A) for number in range(5)]
    tiny = [placed(f"{C}{number}", C) for number in range(3)]
    other = [page(f"https://d.org/{number}", "https://d.org/") for number in range(19)]
    links = read([*small, *tiny, *other])
    assert not any(links[one.name] for one in small)
    assert all(links[one.name] for one in [*tiny, *other]), "too few pages to tell"
