"""Read the links in folders of reStructuredText, AsciiDoc and Org files.

Each file is reduced to a Markdown page with its title and its links in order, then read as
Markdown. Labels (`.. _tea:`, `[[tea]]`, `:ID:`) are aliases of their page, so a reference to a
label leads to its page.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, ClassVar

from whatsrelated.sources.folder_reader import sample_files
from whatsrelated.sources.markdown_folder import MarkdownFolder
from whatsrelated.sources.trees import INDEX_NAMES, Tree

if TYPE_CHECKING:
    from whatsrelated.sources.files import File
    from whatsrelated.sources.page_records import PageRecord


class MarkupTree(Tree):
    """Files of one markup that link to each other by paths and labels."""

    name = "markup"
    suffixes: ClassVar[tuple[str, ...]] = ()
    bare = False

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        self._by_label: dict[str, str] = {}

    @classmethod
    def bare_path(cls, path: str) -> str:
        """A path without its file extension, in lower case."""
        lower = path.lower()
        return next((lower[: -len(end)] for end in cls.suffixes if lower.endswith(end)), lower)

    def add(self, page: PageRecord) -> None:
        self._by_path.setdefault(self.bare_path(page.path), page.name)
        for label in page.aliases:
            self._by_label.setdefault(label.lower(), page.name)

    def by_name(self, page: PageRecord, label: str) -> tuple[str, bool]:
        name = self._by_label.get(label.lower())
        return (name, True) if name is not None else (label, False)

    @classmethod
    def candidates(cls, path: str) -> list[str]:
        plain = cls.bare_path(path).rstrip("/")
        return [plain, *(f"{plain}/{index}" if plain else index for index in INDEX_NAMES)]

    @staticmethod
    def rewrite(title: str, labels: list[str], links: list[tuple[int, str]]) -> str:
        """A Markdown page with this title, these labels as aliases, and these links."""
        quoted = ", ".join('"' + label.replace('"', "") + '"' for label in labels)
        front = f"---\naliases: [{quoted}]\n---\n" if labels else ""
        heading = f"# {title}\n\n" if title else ""
        return front + heading + "\n\n".join(link for _, link in sorted(links))


def path_link(target: str) -> str:
    """A Markdown link to a path or an address."""
    return f"[x](<{target.strip()}>)"


class ReStructuredText(MarkupTree):
    """reStructuredText: `:doc:`, `:ref:`, hyperlinks, and the entries of a toctree."""

    name = "rst"
    sentence = "a folder of reStructuredText files"
    suffixes = (".rst", ".rest")
    _doc = re.compile(r":(?:\w+:)?(doc|ref|any):`(?:[^`<]*<([^`>]+)>|([^`]+))`")
    _link = re.compile(r"`[^`<]*<([^`>\s]+)>`__?")
    _target = re.compile(r"^\.\. _([^:\n]+):[ \t]*(\S*)[ \t]*$", re.M)
    _toctree = re.compile(
        r"^([ \t]*+)\.\. toctree::[^\n]*+\n((?:(?:\1[ \t]++[^\n]*+)?+\n)*+)", re.M
    )
    _title = re.compile(
        r"^(?:[=\-~^\"'*#+]{3,}\n)?[ \t]*(\S[^\n]*)\n[=\-~^\"'*#+]{3,}[ \t]*$", re.M
    )

    @classmethod
    def as_markdown(cls, text: str) -> str:
        text = text.replace("\r\n", "\n") + "\n"
        labels, links = [], []
        for match in cls._target.finditer(text):
            if match[2]:
                links.append((match.start(), path_link(match[2])))
            else:
                labels.append(match[1].strip("`"))
        for match in cls._doc.finditer(text):
            target = (match[2] or match[3]).strip().lstrip("~!")
            link = path_link(target) if match[1] == "doc" else f"[[{target}]]"
            links.append((match.start(), link))
        links += [(match.start(), path_link(match[1])) for match in cls._link.finditer(text)]
        for tree in cls._toctree.finditer(text):
            entries = (line.strip() for line in tree[2].splitlines())
            for number, entry in enumerate(entries):
                if entry and not entry.startswith((":", ".. ")) and entry != "self":
                    named = entry[:-1].rpartition("<")[2] if entry.endswith(">") else ""
                    links.append((tree.start() + number, path_link(named or entry)))
        title = cls._title.search(text)
        return cls.rewrite(title[1] if title else "", labels, links)


class AsciiDoc(MarkupTree):
    """AsciiDoc: `xref:`, `<<…>>`, `link:`, and addresses followed by text in brackets."""

    name = "asciidoc"
    sentence = "a folder of AsciiDoc files"
    suffixes = (".adoc", ".asciidoc", ".asc")
    _link = re.compile(
        r"(?:xref:|link:|(?=https?://))([^\s\[\]]++)(\[?)|<<([^<>,\n]++)(?:,[^<>\n]*+)?+>>"
    )
    _label = re.compile(r"^\[(?:\[([^\],\n]++)(?:,[^\]\n]*+)?+\]|#([^\],.%\n]++)[^\]\n]*+)\]", re.M)
    _title = re.compile(r"^= (\S[^\n]*)", re.M)

    @classmethod
    def as_markdown(cls, text: str) -> str:
        links = []
        for match in cls._link.finditer(text):
            path, bracket, name = match.groups()
            if name is not None and not re.search(r"\.(?:adoc|asc)|#|/", name):
                links.append((match.start(), f"[[{name.strip()}]]"))
            elif name is not None or bracket:
                links.append((match.start(), path_link(name or path)))
        labels = [match[1] or match[2] for match in cls._label.finditer(text)]
        title = cls._title.search(text)
        return cls.rewrite(title[1] if title else "", labels, links)


class Org(MarkupTree):
    """Org: `[[file:tea.org][tea]]`, `[[https://…]]`, and Org-roam's `[[id:…]]`."""

    name = "org"
    sentence = "a folder of Org files"
    suffixes = (".org",)
    _link = re.compile(r"\[\[([^\]\[\n]+)\](?:\[[^\]\n]*\])?\]")
    _label = re.compile(r"^[ \t]*:(?:ID|CUSTOM_ID):[ \t]+(\S+)", re.M | re.I)
    _title = re.compile(r"^#\+title:[ \t]*(\S[^\n]*)", re.M | re.I)

    @classmethod
    def as_markdown(cls, text: str) -> str:
        links = []
        for match in cls._link.finditer(text):
            target = match[1].partition("::")[0]
            if target.startswith("id:"):
                links.append((match.start(), f"[[{target[3:]}]]"))
            elif target.startswith(("file:", "./", "../", "http://", "https://")):
                links.append((match.start(), path_link(target.removeprefix("file:"))))
        title = cls._title.search(text)
        return cls.rewrite(title[1] if title else "", cls._label.findall(text), links)


class MarkupFolder(MarkdownFolder):
    """A folder with at least as many files of this markup as of Markdown and HTML."""

    tree = MarkupTree

    @classmethod
    def recognises(cls, file: File) -> bool:
        paths = sample_files(os.path.realpath(file.path))
        matching = sum(path.lower().endswith(cls.tree.suffixes) for path in paths)
        others = sum(path.lower().endswith((".md", ".html", ".htm")) for path in paths)
        return matching > 0 and matching >= others


class RstFolder(MarkupFolder):
    """A folder of reStructuredText files."""

    tree = ReStructuredText


class AsciiDocFolder(MarkupFolder):
    """A folder of AsciiDoc files."""

    tree = AsciiDoc


class OrgFolder(MarkupFolder):
    """A folder of Org files."""

    tree = Org
