"""The links of an HTML page in page order, and the kind of each.

HTML is parsed only here; folders, archives and crawls all read pages through `read_html`. In one
walk over the tree of the WHATWG parser:

1. every `a` and `area` with an `href` is a link, in tree order;
2. a link inside `nav`, `header`, `footer`, `aside` or their ARIA equivalents is navigation, as is a
   link to the previous or next page, or to the page's source in an online editor. Other links are
   content, including those in an `aside` of a `section`, such as a footnote;
3. if a page marks its text as `articleBody`, or by a usual class such as `entry-content`, a link in
   an `aside` inside the text is content, and the places of links outside it say so;
4. on request, links under a heading such as "See also" are marked, down to the next heading of the
  same rank, as are links in a box of that class.

Links are not resolved here: `href` is as written on the page, with entities decoded.

Cost: about 12 ns per byte, nearly all of it in the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from turbohtml import Document, Element

NAVIGATION, NOT_RECOMMENDED, SEE_ALSO = 1, 2, 4
"""A link's marks, as bits: in navigation, disowned by `rel`, in a "See also" section."""

ALL_MARKS = NAVIGATION | NOT_RECOMMENDED | SEE_ALSO

NAVIGATION_TAGS = frozenset({"nav", "header", "footer", "aside"})
NAVIGATION_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar"}
)
"""The ARIA roles of those tags, and of menus."""

DISOWNED = frozenset({"nofollow", "ugc", "sponsored"})
"""The `rel` of links that a page does not vouch for."""

PAGERS = frozenset({"prev", "previous", "next"})
"""The `rel` of links to the neighbours of a page in reading order."""

MAX_TITLE = 300
"""Maximum number of characters in a title; the rest is cut."""

MAX_TEXT = 20_000
"""Maximum number of characters in a page's text: more than enough for its first 1,000 words."""

TEXT_CLASSES = frozenset({"e-content", "entry-content", "markdown-body", "post-content", "prose"})
"""The usual classes of the element with a page's text."""

_TEXT = "[itemprop~=articleBody]" + "".join(f", .{name}" for name in sorted(TEXT_CLASSES))

OURS = "data-whatsrelated"
"""The attribute of lists that we inserted into pages; their contents are ignored."""

_LINKS = "a[href], area[href]"
_ELEMENTS = (
    ":is(a, area, base)[href], nav, header, footer, aside, [role],"
    " title, link[rel][href], meta[http-equiv], "
) + _TEXT
_EDITOR = re.compile(r"https?://[^/]+/(?:[^/]+/[^/]+/_?edit|.+/-/edit)/[^/]+/.")
"""The editors of GitHub, Gitea and GitLab: owner, repository, edit, branch and file."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BOXES = frozenset({"seealso", "see-also", "related-pages"})
_SECTIONS = "".join(f", {heading}" for heading in _HEADINGS) + "".join(
    f", .{box}" for box in _BOXES
)

_SEE_ALSO = re.compile(
    r"(?:see also|related(?: (?:articles|concepts|content|links|notes|pages|posts|topics))?"
    r"|siehe auch|voir aussi|articles connexes|v[eé]ase tambi[eé]n|ver tamb[ié][eé]n"
    r"|ve(?:r|ja) tamb[eé]m|vedi anche|voci correlate|zie ook|se [åo]gså|se även|katso myös"
    r"|zobacz te[zż]|viz (?:též|také)|lásd még|vezi [sșş]i|ayrıca bakınız|vegeu també|vidu ankaŭ"
    r"|xem thêm|lihat (?:pula|juga)|см\. также|див\. також|вижте също|види још|δείτε επίσης"
    r"|انظر أيض(?:ًا|اً|ا)|ראו גם|جستارهای وابسته|関連項目|参见|參見|相关条目|相關條目|같이 보기)"
    r"\W*",
    re.I,
)


class HtmlPage(NamedTuple):
    """The contents of an HTML page, with unresolved links.

    `links` are pairs of `href` and marks; `anchors`, on request, are their texts.  `places`, on
    request, are pairs of hashes. The first is of the link's path in the tree, with each element's
    position among its siblings, or OUTSIDE; the second is of its label and the path without
    positions.  Zeros stand for links in navigation or within the page.  `lines` are the lines of
    the links.
    """

    links: list[tuple[str, int]]
    anchors: list[str]
    title: str = ""
    base: str = ""
    canonical: str = ""
    refresh: str = ""
    refresh_after: float = 0.0
    text: str = ""
    places: Sequence[tuple[int, int]] = ()
    lines: Sequence[int] = ()


def read_html(
    markup: bytes | str,
    *,
    charset: str = "",
    anchors: bool = False,
    sections: bool = False,
    text: bool = False,
    places: bool = False,
) -> HtmlPage:
    """Read the links of a page, its title and other metadata.

    Bytes are decoded by their byte-order mark, by `charset` or the page's declaration, or by
    detection.  `anchors` keeps the links' texts, `sections` marks "See also" links, `text` keeps
    the page's words, and `places` keeps the links' positions in the tree.
    """
    try:
        document = _parse(markup, charset or None)
    except LookupError:  # not a charset of the Web
        document = _parse(markup, None)
    page = _PageElements(anchors, places, _ELEMENTS + _SECTIONS if sections else _ELEMENTS)
    page.add(document.select(page.selector))
    page.leave_out_the_rest(document)
    refresh = _refresh_of(document) if page.refreshes else None
    return HtmlPage(
        links=page.links,
        anchors=page.texts,
        title=page.title,
        base=page.base,
        canonical=page.canonical,
        refresh=refresh[1] if refresh else "",
        refresh_after=refresh[0] if refresh else 0.0,
        text=_text_of(document) if text else "",
        places=page.places,
        lines=page.lines,
    )


def _parse(markup: bytes | str, charset: str | None) -> Document:
    import turbohtml

    return turbohtml.parse(
        markup,
        encoding=charset,
        detect_encoding=True,
        positions=True,
        allow_declarative_shadow_roots=False,
    )


class _PageElements:
    """Collects links and metadata from the elements of a page, in tree order.

    An element's links come right after it, so counting them is enough: `in_nav` and `in_box` are
    the numbers of links still to come inside such elements.
    """

    def __init__(self, anchors: bool, places: bool, selector: str) -> None:
        """`selector` selects the elements to add."""
        self.anchors = anchors
        self.keep_places = places
        self.places: list[tuple[int, int]] = []
        self.lines: list[int] = []
        self.selector = selector
        self.links: list[tuple[str, int]] = []
        self.texts: list[str] = []
        self.title = self.base = self.canonical = ""
        self.refreshes = False
        self.in_box = 0
        self.rank = 0
        self.texts_of_page: list[Element] = []
        self.text_links = range(0)

    def add(self, elements: Iterable[Element]) -> None:
        """Add links, and elements that describe a link or the page."""
        append, anchors, in_nav, ours = self.links.append, self.anchors, 0, 0
        for element in elements:
            tag = element.tag
            if ours:  # inside a list that we inserted
                ours -= 1
            elif tag == "a" or tag == "area":
                marks = 0
                if in_nav:
                    in_nav -= 1
                    marks = NAVIGATION
                if self.rank or self.in_box:
                    self.in_box -= self.in_box > 0
                    marks |= SEE_ALSO
                attribute = element.attr
                rel = attribute("rel")
                if rel:
                    marks |= marks_of_rel(rel)
                href = attribute("href") or ""
                if "edit/" in href and _EDITOR.match(href):
                    marks |= NAVIGATION
                append((href, marks))
                self.lines.append(element.source_line or 0)
                if self.keep_places:
                    skipped = marks & NAVIGATION or href.startswith("#")
                    self.places.append(_NOWHERE if skipped else place_of(element))
                if anchors:
                    self.texts.append(_collapse_spaces(element.text)[:MAX_TITLE])
            elif tag == "aside" and element.attr(OURS) is not None:
                inside = len(element.select(_LINKS))
                in_nav -= min(inside, in_nav)
                if len(self.links) in self.text_links:
                    self.text_links = self.text_links[: len(self.text_links) - inside]
                self.in_box -= min(inside, self.in_box)
                ours = len(element.select(self.selector))
            elif is_navigation(tag, element.attr("role")):
                in_text = len(self.links) in self.text_links
                if not in_nav and not (tag == "aside" and (in_text or _is_in_section(element))):
                    in_nav = len(element.select(_LINKS))
            else:
                self._add_other(tag, element)

    def _add_other(self, tag: str, element: Element) -> None:
        if tag == "title":
            self.title = self.title or _title_of(element)
        elif tag == "base":
            self.base = self.base or element.attr("href") or ""
        elif tag == "link":
            self._add_link_element(element)
        elif tag == "meta":
            self.refreshes = self.refreshes or _has_word(element, "http-equiv", "refresh")
        elif tag in _HEADINGS:
            self._add_heading(int(tag[1]), element.text)
        else:
            classes = (element.attr("class") or "").split()
            if not self.in_box and not _BOXES.isdisjoint(classes):
                self.in_box = len(element.select(_LINKS))
            if not TEXT_CLASSES.isdisjoint(classes) or _has_word(
                element, "itemprop", "articlebody"
            ):
                self._add_text(element)

    def _add_text(self, element: Element) -> None:
        """Note an element with the page's text, unless it is inside another one."""
        first = len(self.links)
        if first not in self.text_links:
            self.texts_of_page.append(element)
            self.text_links = range(first, first + len(element.select(_LINKS)))

    def leave_out_the_rest(self, document: Document) -> None:
        """If one element has the text, with most paragraphs, mark the places of other links."""
        if len(self.texts_of_page) != 1 or not self.keep_places:
            return
        others = len(document.select("p")) - len(document.select(_PARAGRAPHS_OF_THEMES))
        if 2 * len(self.texts_of_page[0].select("p")) >= others:
            for number, (place, label) in enumerate(self.places):
                if place and number not in self.text_links:
                    self.places[number] = OUTSIDE, label

    def _add_link_element(self, element: Element) -> None:
        in_head = getattr(element.parent, "tag", "") == "head"
        if in_head and not self.canonical and _has_word(element, "rel", "canonical"):
            self.canonical = element.attr("href") or ""

    def _add_heading(self, rank: int, text: str) -> None:
        if is_see_also(text):
            self.rank = rank
        elif rank <= self.rank:
            self.rank = 0


def _is_in_section(element: Element) -> bool:
    """Whether an element belongs to a section of the text, not to an article as a whole."""
    around = element.closest("section, article")
    return around is not None and around.tag == "section"


_NOWHERE = 0, 0
OUTSIDE = -1
"""The place of a link outside the page's text, if the page marks its text."""
_PARAGRAPHS_OF_THEMES = ", ".join(f"{tag} p" for tag in sorted(NAVIGATION_TAGS))
_PROSE = frozenset({"p", "dd", "dt"})
_POSITIONS = str.maketrans("", "", "[]0123456789")


def place_of(element: Element) -> tuple[int, int]:
    """A hash of the link's path in the tree, and one of its label and its kind of place.

    The kind of a place is its path without positions.  A link in a paragraph has no label, because
    themes put their links into boxes and lists; "Next page: Tea" has the label "Next page".
    """
    path = element.xpath_path()
    place = crc32(path.encode())
    if path.rsplit("/", 2)[1].partition("[")[0] in _PROSE:
        return place, 0
    label = element.text.strip() or element.attr("aria-label") or element.attr("title")
    if not label:
        return place, 0
    kind = path.translate(_POSITIONS)
    return place, crc32(f"{kind} {label.partition(':')[0]}".encode(errors="replace"))


def _refresh_of(document: Document) -> tuple[float, str] | None:
    """The target of a page's `refresh`, and its delay in seconds."""
    try:
        return document.meta_refresh()
    except ValueError:  # the target is not an address
        return None


def is_navigation(tag: str, role: str | None) -> bool:
    """Whether the links inside an element are for navigation."""
    if tag in NAVIGATION_TAGS:
        return True
    return role is not None and not NAVIGATION_ROLES.isdisjoint(role.lower().split())


def is_see_also(heading: str) -> bool:
    """Whether a heading announces related pages."""
    return _SEE_ALSO.fullmatch(heading.strip()) is not None


def is_disowned(rel: str | None) -> bool:
    """Whether a page does not vouch for a link with this `rel`."""
    return rel is not None and not DISOWNED.isdisjoint(rel.lower().split())


def marks_of_rel(rel: str) -> int:
    """The marks of a link with this `rel`."""
    words = rel.lower().split()
    marks = 0 if DISOWNED.isdisjoint(words) else NOT_RECOMMENDED
    return marks if PAGERS.isdisjoint(words) else marks | NAVIGATION


def _title_of(element: Element) -> str:
    return "" if element.namespace.value != "html" else _collapse_spaces(element.text)[:MAX_TITLE]


def _has_word(element: Element, attribute: str, word: str) -> bool:
    return word in (element.attr(attribute) or "").lower().split()


def _collapse_spaces(text: str) -> str:
    return " ".join(text.split())


def _text_of(document: Document) -> str:
    body = document.select_one("body") or document
    body.remove("script, style, template, nav, header, footer, aside")
    return _collapse_spaces(body.text[: 4 * MAX_TEXT])[:MAX_TEXT]


_MARKUP = re.compile(
    rb"\s*+(?:<\?xml[^>]*+>\s*+)?+(?:<!--.{0,1000}?-->\s*+)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|script|nav|main|article|h[1-6]|div|p|a)"
    rb"[\s>/]",
    re.I | re.S,
)


def looks_like_html(start: bytes) -> bool:
    """Whether a file that begins like this is an HTML page."""
    return _MARKUP.match(as_utf8(start).lstrip(b"\xef\xbb\xbf\x00")) is not None


def as_utf8(data: bytes) -> bytes:
    """Convert UTF-16, with or without a byte-order mark, to UTF-8; other text is unchanged."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").encode()
    codec = utf16_codec(data)
    return data.decode(codec, "replace").encode() if codec else data


def utf16_codec(data: bytes) -> str:
    """`utf-16-le` or `utf-16-be`, by the byte-order mark or the zeros in the text; otherwise
    empty.
    """
    start = data[:512]
    low, high = start[1::2].count(0), start[::2].count(0)
    if data[:2] == b"\xff\xfe" or (low > len(start) // 5 and not high):
        return "utf-16-le"
    if data[:2] == b"\xfe\xff" or (high > len(start) // 5 and not low):
        return "utf-16-be"
    return ""
