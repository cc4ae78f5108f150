"""Folders of notes as other programs write them: Joplin, Bear, Zettlr, GitHub wikis, Gemini.

Each kind is a small table of names and rules on top of `trees` and `vault`:

- Joplin's raw export, also packed as `.jex`: one file per item, with its metadata at the end.
  A link `:/id` leads to the note of that id. Notebooks, tags and attachments are not pages.
- TextBundle, as Bear writes it, also packed as `.bearbk`: a folder `Tea.textbundle` is the note
  `Tea`. `[[Tea/Heading]]` and `bear://…?id=…` lead to a note. Deleted notes are left out.
- Zettlr: `[[20261117120000]]` is the note with this number in its name or its text.
- The wiki of a GitHub repository: `[[text|Page Name]]`, and `-` in a file name is a space.
- A Gemini capsule: a link is a line `=> address text`.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from whatsrelated.sources.folder import files, is_markdown_file, start_of
from whatsrelated.sources.folder_reader import sample_files
from whatsrelated.sources.markdown_folder import MarkdownFolder
from whatsrelated.sources.markup import MarkupFolder, MarkupTree, path_link
from whatsrelated.sources.trees import Tree, stem
from whatsrelated.sources.vault import Obsidian
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.sources.files import File
    from whatsrelated.sources.page_records import PageRecord

SAMPLE_NOTES = 20
ATTACHMENT = "attachment.bin"
"""A placeholder for an attachment among the targets of links."""


def with_front(title: str, names: list[str], body: str) -> str:
    """A note with this title and these other names in its front matter."""
    return f"---\ntitle: {json.dumps(title)}\naliases: {json.dumps(names)}\n---\n{body}"


class Joplin(Tree):
    """Joplin's raw export."""

    name = "joplin"
    sentence = "the notes of Joplin: its raw export, or a .jex file"
    wikilinks = False
    _kinds: ClassVar = {
        "1": "",
        "2": "notebooks",
        "4": "attachments",
        "5": "tags",
        "6": "tags of notes",
    }
    _type = re.compile(r"type_: ?(\d+)")
    _file = re.compile(r"[0-9a-f]{32}\.md")
    _link = re.compile(r":/([0-9a-f]{32})(?:#.*)?")

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        self._titles = Counter[str]()
        self._by_id: dict[str, str] = {}

    @classmethod
    def kind_of(cls, text: str, root: str, path: str) -> str:
        metadata = text.rstrip().rpartition("\n\n")[2].splitlines()
        match = cls._type.fullmatch(metadata[-1]) if metadata else None
        if match is None:
            return "files that are not items of Joplin"
        if "encryption_applied: 1" in metadata:
            return "encrypted items"
        return cls._kinds.get(match[1], "other items")

    @classmethod
    def as_markdown(cls, text: str) -> str:
        title, _, body = text.rstrip().rpartition("\n\n")[0].partition("\n")
        return with_front(title.strip(), [], body)

    def page_name(self, page: PageRecord) -> str:
        """The title; a second note of the same title is followed by its id."""
        name = self._by_id.get(self._id(page))
        if name is None:
            self._titles[page.title] += 1
            name = page.title if self._titles[page.title] == 1 else f"{page.title} {self._id(page)}"
        return name

    def _id(self, page: PageRecord) -> str:
        return stem(page.path).rpartition("/")[2]

    def add(self, page: PageRecord) -> None:
        super().add(page)
        self._by_id[self._id(page)] = page.name

    def leave_out(self, page: PageRecord) -> None:
        if page.kind == "attachments":
            self._by_id[self._id(page)] = ATTACHMENT

    def target(self, page: PageRecord, href: str) -> tuple[str, bool]:
        match = self._link.fullmatch(unquote(href))
        if match is None:
            return super().target(page, href)
        name = self._by_id.get(match[1])
        return (name or f":/{match[1]}"), name not in (None, ATTACHMENT)


class TextBundles(Obsidian):
    """Notes in TextBundle folders, as Bear writes them."""

    name = "textbundle"
    sentence = "notes in TextBundle folders, as in Bear: a folder of them, or a .bearbk file"
    _text = re.compile(r"(.*\.textbundle)/text\.\w+", re.I)
    _tag = re.compile(r"(?<![\w#/&])#[\w/-]+#?")

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        self._by_id: dict[str, str] = {}
        for path in files(root, lambda path: path.endswith(".textbundle/info.json"), Refused()):
            bundle = path.removesuffix("/info.json")
            number = bear_settings(root, bundle).get("uniqueIdentifier")
            if isinstance(number, str):
                self._by_id[number] = bundle.removesuffix(".textbundle")

    @classmethod
    def is_page(cls, path: str) -> bool:
        return cls._text.fullmatch(path) is not None

    @classmethod
    def kind_of(cls, text: str, root: str, path: str) -> str:
        deleted = bear_settings(root, path.rpartition("/")[0]).get("trashed")
        return "deleted notes" if deleted in (1, True) else ""

    def page_name(self, page: PageRecord) -> str:
        path = page.path
        page.path = self._plain(path)
        name = super().page_name(page)
        page.path = path
        return name

    def add(self, page: PageRecord) -> None:
        page.path = self._plain(page.path)
        super().add(page)

    def _plain(self, path: str) -> str:
        match = self._text.fullmatch(path)
        return match[1].removesuffix(".textbundle") if match else path

    def target(self, page: PageRecord, href: str) -> tuple[str, bool]:
        if not href.startswith("bear://"):
            return super().target(page, href)
        query = parse_qs(urlsplit(href).query)
        title = query.get("title", [""])[0]
        path = self._by_id.get(query.get("id", [""])[0])
        return self.at(path) if path is not None else self.by_name(page, title)

    def by_name(self, page: PageRecord, link: str) -> tuple[str, bool]:
        """The target of a link: a note, or the note that has the heading, as in `[[Tea/Green]]`."""
        name, exists = super().by_name(page, link)
        if exists or "/" not in link:
            return name, exists
        return super().by_name(page, link.partition("/")[0])


def bear_settings(root: str, bundle: str) -> dict[str, Any]:
    """The fields of a note's `info.json` in Bear."""
    try:
        info = json.loads(start_of(f"{root}/{bundle}/info.json"))
    except (ValueError, RecursionError):
        return {}
    settings = info.get("net.shinyfrog.bear") if isinstance(info, dict) else None
    return settings if isinstance(settings, dict) else {}


class Zettlr(Obsidian):
    """A Zettlr workspace: a note's number is another name for it."""

    name = "zettlr"
    sentence = "a Zettlr workspace of notes that link by name or number"
    signs = (".ztr-directory",)
    name_keys = ("aliases", "alias", "id")
    _number = re.compile(r"(?<!\d)\d{14}(?!\d)")
    _id_line = re.compile(r"^@ID:[ \t]*(\d{14})(?!\d)", re.M)

    @classmethod
    def as_markdown(cls, text: str) -> str:
        match = cls._id_line.search(text)
        if match is None or text.startswith("---"):
            return text
        return f"---\naliases: [{json.dumps(match[1])}]\n---\n{text}"

    def add(self, page: PageRecord) -> None:
        page.aliases += self._number.findall(stem(page.path).rpartition("/")[2])
        super().add(page)


class GitHubWiki(Tree):
    """The wiki of a GitHub repository, from its clone."""

    name = "github-wiki"
    sentence = "the wiki of a GitHub repository, cloned"
    left_out = ("_Sidebar.", "_Footer.", "_Header.")
    _wikilink = re.compile(r"\[\[([^\[\]|\n]+)\|([^\[\]|\n]+)\]\]")
    _address = re.compile(r"https?://github\.com/[^/\s]+/[^/\s]+/wiki/([^/?#\s]+)/?")

    @classmethod
    def recognises(cls, root: str) -> bool:
        exists = os.path.exists  # a fixed name beside the pages
        if not any(exists(f"{root}/Home{end}") for end in cls.suffixes):
            return False
        menus = (f"{root}/{part}md" for part in cls.left_out)
        return any(map(exists, menus)) or ".wiki" in start_of(f"{root}/.git/config")

    @staticmethod
    def prepare(text: str) -> str:
        """GitHub writes the text before the page: `[[text|Page]]`."""
        return GitHubWiki._wikilink.sub(r"[[\2|\1]]", text)

    def page_name(self, page: PageRecord) -> str:
        name = self.page_id(page.path)
        return self.base + name if self.base else name.replace("-", " ")

    @staticmethod
    def page_id(path: str) -> str:
        """The last part of a page's address: folders do not count, and spaces become hyphens."""
        return re.sub(r"[\s/]+", "-", stem(unquote(path)).rpartition("/")[2].strip())

    def add(self, page: PageRecord) -> None:
        self._by_path.setdefault(self.page_id(page.path).lower(), page.name)

    def by_name(self, page: PageRecord, link: str) -> tuple[str, bool]:
        if not link:
            return "", True
        name = self._by_path.get(self.page_id(link).lower())
        return (name, True) if name is not None else (link, False)

    def by_path(self, page: PageRecord, path: str) -> tuple[str, bool]:
        name, exists = self.by_name(page, path)
        return (name if exists else path), exists

    def target(self, page: PageRecord, href: str) -> tuple[str, bool]:
        match = self._address.fullmatch(href)
        name = self._by_path.get(self.page_id(match[1]).lower()) if match else None
        return (name, True) if name is not None else super().target(page, href)


class Gemini(MarkupTree):
    """A Gemini capsule: files of gemtext."""

    name = "gemini"
    sentence = "a Gemini capsule: a folder of gemtext"
    suffixes = (".gmi", ".gemini")
    _link = re.compile(r"=>[ \t]*+(\S++)")
    _title = re.compile(r"^# *(\S[^\n]*)", re.M)

    @classmethod
    def as_markdown(cls, text: str) -> str:
        links: list[tuple[int, str]] = []
        is_code = False
        for number, line in enumerate(text.splitlines()):
            if line.startswith("```"):
                is_code = not is_code
            elif not is_code and (match := cls._link.match(line)) is not None:
                target = match[1].replace("gemini://", "gemini:", 1)
                links.append((number, path_link(target.replace("<", "%3C").replace(">", "%3E"))))
        title = cls._title.search(text)
        return cls.rewrite(title[1].strip() if title else "", [], links)


def majority(file: File, is_note: re.Pattern[str]) -> list[str]:
    """The files of a folder whose names match, if more than half of its notes do."""
    notes = [path for path in sample_files(os.path.realpath(file.path)) if is_markdown_file(path)]
    matching = [path for path in notes if is_note.fullmatch(path.rpartition("/")[2])]
    return matching if len(matching) * 2 > len(notes) else []


class JoplinExport(MarkdownFolder):
    """Joplin's raw export, or a `.jex` file."""

    tree = Joplin

    @classmethod
    def recognises(cls, file: File) -> bool:
        root = os.path.realpath(file.path)
        notes = majority(file, Joplin._file)[:SAMPLE_NOTES]
        return any(re.search(r"^type_: ?\d", start_of(f"{root}/{path}"), re.M) for path in notes)


class TextBundleFolder(MarkdownFolder):
    """A folder of TextBundles, or Bear's `.bearbk` file."""

    tree = TextBundles

    @classmethod
    def recognises(cls, file: File) -> bool:
        return any(map(TextBundles.is_page, sample_files(os.path.realpath(file.path))))


class ZettlrWorkspace(MarkdownFolder):
    """A Zettlr workspace."""

    tree = Zettlr


class GitHubWikiClone(MarkdownFolder):
    """The wiki of a GitHub repository."""

    tree = GitHubWiki

    @classmethod
    def recognises(cls, file: File) -> bool:
        return GitHubWiki.recognises(str(file.path))


class GeminiCapsule(MarkupFolder):
    """A Gemini capsule."""

    tree = Gemini
