"""The names of pages in a Markdown folder, and the targets of their links.

A `Tree` has the rules of one kind of folder. All pages must be added before any link is resolved. A
link to a missing page leads to the name that page would have.

- `Tree`: plain files, as GitHub shows them.  A page is named by its path; links are
  relative to the file.
- `SiteTree`: the sources of a generated site. A page is named by its future address. A link leads
  to a source file or to an address.

Each generator is a subclass that defines the addresses of files.
"""

from __future__ import annotations

import os
import posixpath
import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote, unquote

from whatsrelated.sources.folder import MARKDOWN_SUFFIXES, start_of
from whatsrelated.sources.markdown import wikilink_target

if TYPE_CHECKING:
    from whatsrelated.sources.page_records import PageRecord

INDEX_NAMES = ("index", "_index", "readme")
"""The names of index files, without extension."""

_SAFE = "/:@!$&'()*+,;=~"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def stem(path: str) -> str:
    """A path without its Markdown extension."""
    lower = path.lower()
    return next((path[: -len(end)] for end in MARKDOWN_SUFFIXES if lower.endswith(end)), path)


class Tree:
    """A folder of Markdown files that link to each other by their paths."""

    name: ClassVar[str] = "markdown"
    sentence: ClassVar[str] = "a folder of Markdown files"
    signs: ClassVar[tuple[str, ...]] = ()
    """Files that only folders of this kind have."""
    suffixes: ClassVar[tuple[str, ...]] = MARKDOWN_SUFFIXES
    """The file extensions of its pages."""
    left_out: ClassVar[tuple[str, ...]] = ()
    """Folders without pages."""
    wikilinks: ClassVar[bool] = True
    name_keys: ClassVar[tuple[str, ...]] = ("aliases", "alias")
    """The keys of front matter with other names of a page."""
    bare: ClassVar[bool] = True
    """Whether a bare address in the text is a link."""

    @classmethod
    def recognises(cls, root: str) -> bool:
        """Whether a folder is of this kind, by its files."""
        return any(os.path.exists(f"{root}/{sign}") for sign in cls.signs)  # noqa: PTH110

    def __init__(self, root: str, base: str = "") -> None:
        self.root = root
        self.base = base
        self.ambiguous = 0
        self.excluded: set[str] = set()
        """The names of pages to leave out, together with the links to them."""
        self._by_path: dict[str, str] = {}
        self._by_last: dict[str, list[str]] = {}
        self._same_everywhere: dict[str, tuple[str, bool]] = {}
        """Wikilinks with the same target on every page."""

    @classmethod
    def is_page(cls, path: str) -> bool:
        """Whether the file at this path is a page."""
        return path.lower().endswith(cls.suffixes) and not path.startswith(cls.left_out)

    @classmethod
    def as_markdown(cls, text: str) -> str:
        """Convert the text of a file, including its front matter, to Markdown."""
        return text

    @classmethod
    def kind_of(cls, text: str, root: str, path: str) -> str:
        """A word for a file that is not a page, such as `tags`; empty for a page."""
        return ""

    def leave_out(self, page: PageRecord) -> None:
        """Register a file that is not a page."""

    @staticmethod
    def prepare(text: str) -> str:
        """Rewrite the special syntax of this kind of folder as links."""
        return text

    def page_name(self, page: PageRecord) -> str:
        """The name of a page, which does not depend on other pages."""
        return self.base + quote(page.path) if self.base else page.path

    def add(self, page: PageRecord) -> None:
        """Register a page, so links to it can be resolved."""
        self._by_path.setdefault(stem(page.path).lower(), page.name)
        last = stem(page.path).rpartition("/")[2].lower()
        self._by_last.setdefault(last, []).append(page.path)

    def target(self, page: PageRecord, href: str) -> tuple[str, bool]:
        """The name of the page that a link leads to, and whether it exists.

        An empty name is the page itself.
        """
        known = self._same_everywhere.get(href)
        if known is not None:
            return known
        linked = wikilink_target(href)
        if linked is not None:
            ambiguous = self.ambiguous
            resolved = self.by_name(page, linked)
            if self.ambiguous == ambiguous and not linked.startswith("."):
                self._same_everywhere[href] = resolved
            return resolved
        if _SCHEME.match(href) or href.startswith("//"):
            url = "https:" + href if href[0] == "/" else href
            if not self.base or not url.startswith(self.base):
                return url, True
            href = "/" + url[len(self.base) :]
        path = unquote(href.partition("#")[0].partition("?")[0]).strip()
        return self.by_path(page, path) if path else ("", True)

    def by_name(self, page: PageRecord, link: str) -> tuple[str, bool]:
        """The target of a wikilink."""
        if not link:
            return "", True
        path = self._by_suffix(page, stem(link).lstrip("/"))
        return (self._by_path[stem(path).lower()], True) if path else (link, False)

    def _by_suffix(self, page: PageRecord, suffix: str) -> str | None:
        """The file whose path ends with `wanted`; if there are several, `choose` picks one."""
        lower = suffix.lower()
        ends = "/" + lower
        paths = [
            path
            for path in self._by_last.get(lower.rpartition("/")[2], ())
            if ("/" + stem(path).lower()).endswith(ends)
        ]
        self.ambiguous += len(paths) > 1
        return self.choose(page, lower, paths) if paths else None

    def choose(self, page: PageRecord, link: str, paths: list[str]) -> str:
        """Pick one of several files with the same name."""
        return min(paths)

    def by_path(self, page: PageRecord, path: str) -> tuple[str, bool]:
        """The target of a link by path."""
        joined = resolve_path(page.path, path)
        for candidate in self.candidates(joined):
            name = self._by_path.get(candidate)
            if name is not None:
                return name, True
        return self.base + quote(joined) if self.base else joined, False

    @staticmethod
    def candidates(path: str) -> list[str]:
        """The files, without extensions, that a path may lead to."""
        plain = stem(path).lower().rstrip("/")
        folder = f"{plain}/" if plain else ""
        return [plain, *(folder + index for index in INDEX_NAMES)]


def resolve_path(source: str, path: str) -> str:
    """Resolve a path relative to the root, without ever leaving it."""
    folder = "" if path.startswith("/") else source.rpartition("/")[0]
    joined = posixpath.normpath(posixpath.join("/" + folder, path.lstrip("/"))).lstrip("/")
    return joined + "/" if joined and path.endswith(("/", "/.", "/..")) else joined


class SiteTree(Tree):
    """The sources of a site: pages are named by their future addresses."""

    name = "site"
    wikilinks = False
    contents: ClassVar[str] = ""
    """The folder of the pages, if it exists."""

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        has_contents = self.contents and os.path.isdir(f"{root}/{self.contents}")  # noqa: PTH112
        self.content = self.contents if has_contents else ""
        self._by_address: dict[str, str] = {}

    def address(self, path: str, page: PageRecord) -> str:
        """The address of a content file, relative to the site's root."""
        raise NotImplementedError

    def page_name(self, page: PageRecord) -> str:
        address = self.address(page.path.removeprefix(self.content), page)
        return self.base + quote(address, _SAFE) or "/"

    def add(self, page: PageRecord) -> None:
        super().add(page)
        self._by_address.setdefault(self.key(page.name), page.name)

    def key(self, name: str) -> str:
        """A key shared by all names of a page, since slashes at either end do not matter."""
        return name.removeprefix(self.base).strip("/")

    def by_path(self, page: PageRecord, path: str) -> tuple[str, bool]:
        """Try a path with a Markdown extension as a file first, any other as an address first."""
        address = quote(stem(resolve_path(page.name.removeprefix(self.base), path)), _SAFE)
        file, served = self._file(page, path), self._by_address.get(self.key(self.base + address))
        for name in (file, served) if stem(path) != path else (served, file):
            if name is not None:
                return name, True
        return self.base + address, False

    def _file(self, page: PageRecord, path: str) -> str | None:
        """The page of the source file that a path leads to."""
        source, top = ("", self.content) if path.startswith("/") else (page.path, "")
        for candidate in self.candidates(resolve_path(source, top + path.lstrip("/"))):
            if candidate in self._by_path:
                return self._by_path[candidate]
        return None


class MkDocs(SiteTree):
    """MkDocs: `docs/guide/install.md` is served at `guide/install/`.

    `docs_dir` and `use_directory_urls` in mkdocs.yml are respected.
    """

    name = "mkdocs"
    sentence = "the sources of a site made with MkDocs"
    signs = ("mkdocs.yml", "mkdocs.yaml")
    _docs_dir = re.compile(r"""^docs_dir:\s*["']?([^"'\n#]+)""", re.M)
    _flat = re.compile(r"^use_directory_urls:\s*(?:false|no|off)\b", re.M | re.I)

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        config = start_of(f"{root}/mkdocs.yml") or start_of(f"{root}/mkdocs.yaml")
        named = self._docs_dir.search(config)
        folder = posixpath.normpath(named[1].strip()) if named else "docs"
        self.content = f"{folder}/" if config and folder != "." else ""
        self.flat = self._flat.search(config) is not None

    def address(self, path: str, page: PageRecord) -> str:
        folder, _, last = stem(path).rpartition("/")
        if self.flat:
            return stem(path) + ".html"
        if last.lower() in INDEX_NAMES:
            return f"{folder}/" if folder else ""
        return stem(path) + "/"


class Docusaurus(SiteTree):
    """Docusaurus: `docs/02-guide/install.md` is served at `docs/guide/install`."""

    name = "docusaurus"
    sentence = "the sources of a site made with Docusaurus"
    signs = ("docusaurus.config.js", "docusaurus.config.ts")
    _number = re.compile(r"(?:^|(?<=/))\d+\s*[-_.]+\s*(?=[^-_.\s/])")
    _date = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]")
    _site = re.compile(r"(\]\(|\]:\s*|href=[\"'])@site/")

    @classmethod
    def prepare(cls, text: str) -> str:
        return cls._site.sub(r"\1/", text) if "@site/" in text else text

    def address(self, path: str, page: PageRecord) -> str:
        mount, _, inner = (
            path.partition("/") if path.startswith(("docs/", "blog/")) else ("", "", path)
        )
        inner = stem(inner.removeprefix("src/pages/"))
        if mount == "blog":
            dated = self._date.match(inner)
            inner = "/".join(dated.groups()) + "/" + inner[dated.end() :] if dated else inner
        else:
            inner = self._number.sub("", inner)
        folder, _, last = inner.rpartition("/")
        if page.slug.startswith("/") or (page.slug and mount == "blog"):
            folder, last = "", page.slug.strip("/")
        elif page.slug:
            last = page.slug
        elif last.lower() in INDEX_NAMES or last == folder.rpartition("/")[2]:
            last = ""
        return "/".join(part for part in (mount, folder, last) if part)


class Hugo(SiteTree):
    """Hugo: `content/posts/Hello World.md` is served at `posts/hello-world/`.

    Older sites have `config.toml` in place of `hugo.toml`.  Other programs use that name too,
    so the file must set `baseURL` or `languageCode`.  Hugo leaves links from the root as they are,
    so below `https://example.org/blog/` they begin with `/blog/`.
    """

    name = "hugo"
    sentence = "the sources of a site made with Hugo"
    signs = tuple(
        f"{folder}hugo.{end}"
        for folder in ("", "config/_default/")
        for end in ("toml", "yaml", "yml", "json")
    )
    contents = "content/"
    _setting = re.compile(r"""^[ \t]*+["']?(?:baseURL|languageCode)["']?[ \t]*+[=:]""", re.M | re.I)
    _base_url = re.compile(
        r"""^[ \t]*+["']?baseURL["']?[ \t]*+[=:][ \t]*+["']?(https?://[^/"'\s#]++)(/[^"'\s#]*+)?""",
        re.M | re.I,
    )
    _ref = re.compile(
        r"""\{\{[<%]\s*+(?:rel)?ref\s++(?:path=)?+["'`]?+([^"'`\s>%]++)["'`]?+[^{}]*+\}\}"""
    )

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        settings = "\n".join(start_of(f"{root}/{sign}") for sign in (*self.signs, *self._older()))
        url = self._base_url.search(settings)
        self.mount = (url[2] or "").rstrip("/") + "/" if url else "/"
        """The path below which the site is served."""
        self.served = url[1] + self.mount if url else ""
        """The URL where the site is served, if its settings name it."""

    @classmethod
    def _older(cls) -> tuple[str, ...]:
        return tuple(sign.replace("hugo", "config") for sign in cls.signs)

    @classmethod
    def recognises(cls, root: str) -> bool:
        return super().recognises(root) or any(
            cls._setting.search(start_of(f"{root}/{sign}")) is not None for sign in cls._older()
        )

    def target(self, page: PageRecord, href: str) -> tuple[str, bool]:
        if self.served and href.startswith(self.served):
            name, exists = super().target(page, "/" + href[len(self.served) :])
            return (name, True) if exists else super().target(page, href)
        name, exists = super().target(page, href)
        if not exists and self.mount != "/" and href.startswith(self.mount):
            return super().target(page, "/" + href[len(self.mount) :])
        return name, exists

    @classmethod
    def prepare(cls, text: str) -> str:
        return cls._ref.sub(lambda ref: quote(ref[1], "/#"), text) if "ref " in text else text

    def address(self, path: str, page: PageRecord) -> str:
        if page.url:
            return page.url.strip("/") + "/"
        folder, _, last = stem(path).rpartition("/")
        if last.lower() in INDEX_NAMES:
            folder, _, last = folder.rpartition("/")
        parts = [*folder.split("/"), page.slug or last]
        return "".join(part.lower().replace(" ", "-") + "/" for part in parts if part)

    def by_path(self, page: PageRecord, path: str) -> tuple[str, bool]:
        name, exists = super().by_path(page, path)
        if exists or "/" in path.strip("/"):
            return name, exists
        file = self._by_suffix(page, stem(path).strip("/"))
        return (self._by_path[stem(file).lower()], True) if file else (name, False)
