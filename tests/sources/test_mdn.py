"""MDN's content: macros and redirects are links."""

from __future__ import annotations

from tests.sources.markdown_folders import derived, inside, read
from whatsrelated.sources.markdown_folder import MdnContent

MDN = {
    "_redirects.txt": "# FROM\tTO\n/en-US/docs/Old\t/en-US/docs/Web/CSS/Reference/Values/New\n"
    "/en-US/docs/Web/CSS/old-name\t/en-US/docs/Web/CSS/Reference/Values/New\n"
    "/en-US/docs/Gone\thttps://example.org/gone\n",
    "web/api/document/index.md": "---\ntitle: D\nslug: Web/API/Document\n---\n"
    '{{APIRef("DOM")}} {{domxref("Document.open()")}} {{ DOMxRef("document.open", "o") }}'
    ' `{{jsxref("Array")}}` `x {{jsxref("no")}}` {{jsxref("Statements/for...of")}}\n\n'
    '<table><tr><td>{{EmbedLiveSample("x")}}\n  {{EmbedLiveSample("y")}}\n'
    '      {{cssxref("&lt;new&gt;")}}</td></tr></table>\n\n{{jsxref("Array#length", "{}")}}\n\n'
    "[o](/en-US/docs/old#x) [g](/en-US/docs/Gone) [s](/en-us/docs/web/api/document/open/)"
    ' {{Glossary("user agent")}} \\{{domxref("No")}} {{PreviousNext("A", "B")}} [[Slot]]\n',
    "web/api/document/open/index.md": "---\nslug: Web/API/Document/open\n---\n"
    '{{cssxref("old-name")}} {{httpstatus(404)}}\n## See also\n- {{domxref("Document")}}\n',
    "web/css/reference/values/new/index.md": "---\nslug: Web/CSS/Reference/Values/New\n---\n",
    "js/index.md": "---\nslug: Web/JavaScript/Reference/Global_Objects/Array\n---\n",
    "js/of/index.md": "---\nslug: Web/JavaScript/Reference/Statements/for...of\n---\n",
    "http/index.md": "---\nslug: Web/HTTP/Reference/Status/404\n---\n",
}


def test_mdns_macros_and_redirects_are_links(tmp_path):
    pages, _ = read(MdnContent, tmp_path, MDN)
    assert pages["Web/API/Document"] == [
        "Web/API/Document/open",
        "Web/JavaScript/Reference/Global_Objects/Array",
        "Web/JavaScript/Reference/Statements/for...of",
        "Web/CSS/Reference/Values/New",
        "https://example.org/gone",
        "Glossary/user_agent",
    ]
    assert pages["Web/API/Document/open"] == [
        "Web/CSS/Reference/Values/New",
        "Web/HTTP/Reference/Status/404",
        "Web/API/Document",
    ]
    docs = "https://developer.mozilla.org/en-US/docs/"
    based, _ = read(MdnContent, tmp_path, base_url=docs, section="see-also")
    assert based[docs + "Web/API/Document/open"] == [docs + "Web/API/Document"]


def test_mdns_content_agrees_with_the_table_derived_from_it(mdn, shared):
    pages, context = read(MdnContent, mdn, section="body", unresolved="drop", workers=0)
    ours, theirs = inside(pages, pages), derived(shared, "mdn", "body")
    total = sum(map(len, theirs.values()))
    missing = [(a, b) for a, links in theirs.items() for b in links if b not in ours.get(a, ())]
    extra = [(a, b) for a, links in ours.items() for b in links if b not in theirs.get(a, ())]
    assert (len(pages), total) == (14_593, 108_319)
    assert len(missing) < 400
    assert len(extra) < 0.04 * total
    assert not context.refused.counts
