"""The sentences of evidence: the reasons of every method are worded here.

A reason names the query page and the result, and has one subject: "26 of the 34 pages that
link to “Tea” also link to “Coffee”, often side by side, for example “Drinks”."  A page is named
by its title in quotation marks.  Without a title, or if another page in the sentence has the
same one, it is named by its address.

Programs find the pages under `named`, in the order in which the sentence names them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from whatsrelated.vicinity.quoting import PLAINER, Quotes, quote_address

if TYPE_CHECKING:
    from whatsrelated.graph import Store

MAX_LISTED = 10
"""Maximum number of pages listed in the evidence; its counts cover all of them."""
MAX_QUERIES = 3
"""Maximum number of query pages that a sentence names."""
PAIR = 2
BESIDE = 2
NEARBY = 5
"""Links at most BESIDE apart count as side by side, and at most NEARBY apart as close together."""
_QUOTED = re.compile("“[^”]*”")


def sentence(text: str) -> str:
    """The text with an initial capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}."


def listing(names: Sequence[str]) -> str:
    """Names as a list in words: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


class Wording:
    """Puts into words why a page is related to the query pages.

    `query` names the query pages (only the first few if there are many); `result` names the page;
    and `both` names them all.
    """

    def __init__(
        self, store: Store, queries: Sequence[int], result: int, quotes: Quotes | None = None
    ) -> None:
        self.store, self._queries, self._result = store, tuple(queries), result
        self.quotes = Quotes(store) if quotes is None else quotes
        self._names: dict[int, str] = {}
        pages = (*self._queries, result)
        quoted = [self.quotes[page][0] for page in pages]
        for page, name in zip(pages, quoted, strict=True):
            self._names[page] = self._address(page) if quoted.count(name) > 1 else name
        self._always_named = self._names.copy()
        names = [self._names[page] for page in self._queries]
        if len(names) > MAX_QUERIES:
            names[MAX_QUERIES - 1 :] = [f"{len(names) - MAX_QUERIES + 1:,} other pages"]
        self.query = listing(names) if names else ""
        self.result = self._names[result]
        self.both = f"{self.query} and {self.result}"

    def __call__(self, page: int) -> str:
        """A page's name in quotation marks, unlike any other name in the sentence."""
        if page not in self._names:
            name = self.quotes[page][0]
            self._names[page] = self._address(page) if name in self._names.values() else name
        return self._names[page]

    def _address(self, page: int) -> str:
        url = self.quotes.urls[page]
        short = quote_address(url)
        return f"“{url.translate(PLAINER)}”" if short in self._names.values() else short

    def evidence(self, text: str) -> dict[str, Any]:
        """The sentence, and the pages that it names in order, as fields of evidence."""
        pages, quotes = {name: page for page, name in self._names.items()}, self.quotes
        named = [
            {"url": quotes.urls[page], "title": quotes[page][1], "name": name[1:-1]}
            for name in _QUOTED.findall(text)
            if (page := pages.get(name)) is not None
        ]
        self._names = self._always_named.copy()  # the next sentence names other pages
        return {"sentence": text, "named": named}

    def shared_parents(
        self,
        shared: int,
        parents: int,
        examples: Sequence[int],
        *,
        sampled: bool = False,
        distances: Sequence[int] = (),
    ) -> str:
        """How many parents of the query also link to the result, and how close the links are.

        `distances` come from some of the shared parents; there are none if the graph has no link
        order.
        """
        group = f"page that links to {self.query}", f"pages that link to {self.query}"
        near = _near_one(distances) if shared == 1 else _near(distances, shared)
        return self._of_group(shared, parents, group, "also link", examples, near, sampled)

    def similar_pages(
        self, linking: int, peers: int, examples: Sequence[int], *, all_read: bool
    ) -> str:
        """A sentence about how many of the pages with similar links link to the result.

        With `all_read`, these are all the pages that share links with the query, not only the most
        similar ones.
        """
        of = f"whose links are most similar to those of {self.query}"
        group = f"page {of}", f"pages {of}"
        if all_read:
            with_it = f"links with {self.query}"
            group = f"page that shares {with_it}", f"pages that share {with_it}"
        return self._of_group(linking, peers, group, "link", examples)

    def _of_group(
        self,
        count: int,
        total: int,
        group: tuple[str, str],
        verb: str,
        examples: Sequence[int],
        near: str = "",
        sampled: bool = False,
    ) -> str:
        """`count` pages of a group link to the result; `group` is its singular and plural."""
        singular, plural = group
        on_site = singular.startswith("site")
        if count == 1:
            of = f"one of {_total(total, plural, sampled)}" if total > 1 else f"the only {singular}"
            if on_site:
                of = f"{of[0].upper()}{of[1:]}"
                return f"{of} {verb}s to {self.result}, for example on {self(examples[0])}."
            return f"{self(examples[0])}, {of}, {verb}s to {self.result}{near}."
        if count == total == PAIR and not (sampled or on_site):
            only = f"{self._list(examples)}, the only two {plural},"
            return f"{only} {verb} to {self.result}{near}."
        subject = f"{count:,} of {_total(total, plural, sampled)}"
        if count == total and not sampled:
            subject = f"{'Both' if total == PAIR else f'All {total:,}'} {plural}"
        example = f"for example {'on ' * on_site}{self(examples[0])}"
        return f"{subject} {verb} to {self.result}{near}, {example}."

    def shared_children(self, shared: int, examples: Sequence[int]) -> str:
        """The pages that both link to."""
        return f"{self.both} both link to {self._with_examples(shared, examples)}."

    def shared_neighbours(
        self,
        back: tuple[int, int] | None,
        forward: tuple[int, int] | None,
        noun: str,
        *,
        examples: Sequence[int] = (),
        sampled: bool = False,
        all_children: bool = True,
    ) -> str:
        """How many of the query's parents and children the result shares.

        `noun` is `page`, or `site` if the pages of a site count once. `sampled` means that only a
        sample of the parents was read. `all_children` is false if only the first were.
        """
        sentences = []
        if back:
            group = f"{noun} that links to {self.query}", f"{noun}s that link to {self.query}"
            sentences += [self._of_group(*back, group, "also link", examples, "", sampled)]
        if forward:
            groups = f"{noun} that {self.query} links to", f"{noun}s that {self.query} links to"
            part = _part(*forward, groups)
            if not all_children:
                part = f"{forward[0]:,} of the first {forward[1]:,} {groups[1]}"
            sentences += [f"{self.result} {'also ' * bool(back)}links to {part}."]
        return " ".join(sentences)

    def link_between(self, forth: bool, back: bool) -> str:
        """Which of the two links to the other, as a clause; empty if neither does."""
        if forth and back:
            return f"{self.both} link to each other"
        if forth:
            return f"{self.query} links to {self.result}"
        return f"{self.result} links to {self.query}" if back else ""

    def paths(self, forth: bool, back: bool, between: int, examples: Sequence[int]) -> str:
        """How links, followed in either direction, lead from one page to the other.

        `between` is the number of pages on paths of two links.
        """
        direct = self.link_between(forth, back)
        if not between:
            return f"{direct or f'{self.both} are connected only by paths of three or more links'}."
        through = f"through {self._any_of(between, examples)}"
        if direct:
            verb = "are" if forth and back else "is"
            them = "" if forth and back else " to it"
            return f"{direct} and {verb} also connected{them} {through}."
        return f"{self.both} are two links apart, {through}."

    def found_by(self, path: Sequence[tuple[int, bool]], links: int) -> str:
        """The path to the result, whose number of links is `links`. For each page of the path, a
        flag says whether it links to the one before.
        """
        (first, _), *between, (last, back) = path
        size = f"{links:,} page{'s' * (links != 1)}" if links else "no other page"
        if between:
            through = self._list([page for page, _ in between])
            far = f"{len(path) - 1} links away from {self(first)}, through {through}"
            return f"{self(last)}, which links to {size}, is {far}."
        if not back:
            return f"{self(first)} links to {self(last)}, which links to {size}."
        others = f" and {links - 1:,} other page{'s' * (links != 2)}" if links > 1 else ""
        return f"{self(last)} links to {self(first)}{others}."

    def similar_names(self) -> str:
        """The words that both names share; empty if they share no whole word."""
        words = self._shared_words()
        return f"{self.both} both have {words}." if words else ""

    def shared_words(self, words: Sequence[str]) -> str:
        """The words that both texts have; empty if there are none."""
        noun = "word" if len(words) == 1 else "words"
        return f"The texts of {self.both} share the {noun} {listing(words)}." if words else ""

    def _shared_words(self) -> str:
        """The longest words in both names."""
        pair = self._queries[0], self._result
        query_words, result_words = (self.quotes.words[page] for page in pair)
        lower = {word.lower() for word in result_words}
        shared = list(dict.fromkeys(word for word in query_words if word.lower() in lower))
        longest = sorted(shared, key=len, reverse=True)[:2]
        if not longest:
            return ""
        words = listing([f"“{word}”" for word in shared if word in longest])
        are_addresses = any("/" in self.quotes.urls[page] for page in pair)
        return f"{words} in their {'addresses' if are_addresses else 'names'}"

    def hubs(self, hubs: Sequence[int], sites: int) -> str:
        """The pages around the query that link to the result, best first."""
        query_hubs = [page for page in hubs if page in self._queries]
        others = [page for page in hubs if page not in self._queries]
        if not others:
            return f"{self._list(query_hubs)} link{'s' * (len(query_hubs) == 1)} to {self.result}."
        best, near, where = self(others[0]), f"near {self.query}", ""
        if len(self._queries) == 1 and query_hubs:
            if len(others) == 1:
                return f"{self.query} and {best}, a page near it, link to {self.result}."
            subject = f"{self.query} and {len(others):,} pages near it"
        elif len(others) == 1:
            if len(self._queries) == 1 and self._queries[0] in self.store.links_from(others[0]):
                return f"{best} links to both {self.both}."
            return f"{best}, a page {near}, links to {self.result}."
        elif len(others) == PAIR:
            return f"{self._list(others)}, two pages {near}, link to {self.result}."
        else:
            subject = f"{len(others):,} pages {near}"
            if sites > 1:
                all_differ = sites == len(others)
                where = (
                    " Each is on its own site." if all_differ else f" They are on {sites:,} sites."
                )
        return f"{subject}, especially {best}, link to {self.result}.{where}"

    def sources(self, sources: Sequence[int]) -> str:
        """The pages from which links lead to both, most important first."""
        pair = (*self._queries, self._result)
        ends = [page for page in sources if page in pair]
        others = [page for page in sources if page not in pair]
        if others:
            begin = self._with_examples(len(others), others)
            return f"You can reach both {self.both} from {begin} by following links."
        first, last = self.query, self.result
        if ends[0] == self._result:
            first, last = last, first
        back = " and back" if len(ends) > 1 else ""
        return f"You can get from {first} to {last}{back} by following links."

    def similar_parents(self, shared: Sequence[int], pair: Sequence[int]) -> str:
        """The pages that link to both; if there are none, similar pages that link to one each."""
        if len(shared) == 1:
            return f"{self(shared[0])} links to both {self.both}."
        if shared:
            return f"{len(shared):,} pages link to both {self.both}, for example {self(shared[0])}."
        text = f"Pages that link to {self.query} are similar to pages that link to {self.result}"
        return f"{text}, for example {self._list(pair)}." if pair else f"{text}."

    def related_to(self, related: Sequence[int]) -> str:
        """A sentence about which of several query pages the result is related to."""
        if len(related) == len(self._queries):
            both = "both " if len(related) == PAIR else ""
            return f"{self.result} is related to {both}{self.query}."
        of = f"of {_total(len(self._queries), 'pages you asked about', False)}"
        if len(related) == 1:
            return f"{self.result} is related to only one {of}, {self(related[0])}."
        return f"{self.result} is related to {len(related):,} {of}, for example {self(related[0])}."

    @property
    def unread(self) -> str:
        return f"{self.result} itself was not read, so its own links are unknown."

    def _list(self, pages: Sequence[int]) -> str:
        return listing([self(page) for page in pages])

    def _with_examples(self, total: int, examples: Sequence[int]) -> str:
        """`total` pages: one or two by name, more by one name and the number of the others."""
        if total <= min(len(examples), 2):
            return self._list(examples[:total])
        return f"{self(examples[0])} and {total - 1:,} other pages"

    def _any_of(self, total: int, examples: Sequence[int]) -> str:
        """`total` pages of which each is enough, unlike the pages of one path."""
        if total > PAIR:
            return f"any of {total:,} pages, for example {self(examples[0])}"
        first, *rest = [self(page) for page in examples[:total]]
        return f"either {first} or {rest[0]}" if rest else first


class FollowUp(Wording):
    """Words further reasons, after a sentence that names both pages."""

    def shared_parents(
        self,
        shared: int,
        parents: int,
        examples: Sequence[int],
        *,
        sampled: bool = False,
        distances: Sequence[int] = (),
    ) -> str:
        near = _near(distances, shared)
        if shared == 1:
            return f"{self(examples[0])} links to both{near}."
        return f"{shared:,} pages link to both{near}, for example {self(examples[0])}."

    def shared_children(self, shared: int, examples: Sequence[int]) -> str:
        return f"Both also link to {self._with_examples(shared, examples)}."

    def similar_names(self) -> str:
        words = self._shared_words()
        return f"Both also have {words}." if words else ""

    def link_between(self, forth: bool, back: bool) -> str:
        if forth and back:
            return "The two also link to each other."
        one, other = (self.query, self.result) if forth else (self.result, self.query)
        return f"{one} also links to {other}."


def _total(total: int, plural: str, sampled: bool) -> str:
    number = "two" if total == PAIR else f"{total:,}"
    return f"{number} sampled {plural}" if sampled else f"the {number} {plural}"


def _part(count: int, total: int, group: tuple[str, str]) -> str:
    """`count` pages of a group, as a grammatical object; `group` is its singular and plural."""
    singular, plural = group
    if total == 1:
        return f"the only {singular}"
    if count == total:
        return f"{'both' if total == PAIR else f'all {total:,}'} {plural}"
    return f"{'one' if count == 1 else f'{count:,}'} of {_total(total, plural, False)}"


def _near(distances: Sequence[int], shared: int) -> str:
    """How close the links to two pages are, on all pages that have both or on some of them."""
    for max_distance, words in ((BESIDE, "side by side"), (NEARBY, "close together")):
        close = sum(distance <= max_distance for distance in distances)
        if close:
            often = "often " if close * 2 >= len(distances) else "sometimes "
            return f", {often if close < shared else ''}{words}"
    return ""


def _near_one(distances: Sequence[int]) -> str:
    """How close the links to the query page and the result are on a single page."""
    if not distances or distances[0] > NEARBY:
        return ""
    words = "side by side" if distances[0] <= BESIDE else "close together"
    return f", and the two links are {words}"
