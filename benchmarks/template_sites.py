"""Build real sites with many generators, for `benchmarks.template_rule`.

    python -m benchmarks.template_sites FOLDER [SITE...]

A site is the Markdown or reStructuredText of a real project and a theme of its
generator.  Before the generator runs, a paragraph with one word is put before and after the
text of every source file.  The built page then shows where the author's own text begins and
ends, whatever the theme does with it: links between the two words are the author's, and
links that are only elsewhere come from the theme.

The sources come from source distributions (pip), npm packages and, if `$RELATED_SHARED`
or ../shared has them, MDN and Obsidian's help.  A site whose generator is missing is reported.
FOLDER/tools holds what was installed: a virtual environment and node_modules.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

BEGIN, END = "startoftheauthorstext", "endoftheauthorstext"
"""The words around an author's text."""

PYTHON_TOOLS = (
    "mkdocs mkdocs-material sphinx sphinx-rtd-theme furo pydata-sphinx-theme sphinx-book-theme"
    " myst-parser pelican[markdown] nikola"
)
NODE_TOOLS = (
    "vitepress hexo hexo-theme-landscape hexo-renderer-ejs hexo-renderer-marked"
    " hexo-generator-index hexo-generator-archive"
    " hexo-generator-category hexo-generator-tag honkit"
)
DEBIAN_TOOLS = "hugo jekyll jekyll-theme-minima doxygen ikiwiki nodejs npm"

_FRONT = re.compile(r"\A---\n.*?\n---[ \t]*\n", re.S)
_ATX = re.compile(r"\s*#[^\n]*\n")
_SETEXT = re.compile(r"\s*[^\n]+\n(?:=+|-+)[ \t]*\n")
_TITLE = re.compile(
    r"^(?:([=*#~-])\1{2,}[ \t]*\n[^\n]+\n\1{3,}"
    r"|(?![ \t.])[^\n]+\n([=\-~^\"'#*+:.`_])\2{2,})[ \t]*(?:\n|\Z)",
    re.M,
)


_OLD_INDEX = re.compile(
    r"^([ \t]*(?:\.\. index::)?[ \t]*!?)"
    r"(module|keyword|operator|object|exception|statement|builtin): ",
    re.M,
)
"""Index entries that Sphinx no longer accepts."""

Build = Callable[[Path, Path, Path], Path]
"""From the source, the tools and an empty folder to the folder of the built site."""


@dataclass(frozen=True)
class Site:
    """A project's text, built by a generator; `fitted` if the rule was chosen on it."""

    generator: str
    source: str
    build: Build
    fitted: bool = False


def mark_markdown(text: str) -> str:
    """Put the words around the text of a Markdown file, after front matter and title."""
    text = text.replace("\r\n", "\n")
    front = _FRONT.match(text)
    start = front.end() if front else 0
    heading = _ATX.match(text, start) or _SETEXT.match(text, start)
    start = heading.end() if heading else start
    return f"{text[:start]}\n{BEGIN}\n\n{text[start:]}\n\n{END}\n"


def mark_rst(text: str) -> str:
    """The same for reStructuredText; a file without a title is left alone."""
    title = _TITLE.search(text)
    if title is None:
        return text
    return f"{text[: title.end()]}\n{BEGIN}\n\n{text[title.end() :]}\n\n{END}\n"


def copy_marked(source: Path, target: Path, without: str = r"$^") -> None:
    """Copy a folder, with the words in its texts, except paths that match."""
    for path in sorted(source.rglob("*")):
        relative = path.relative_to(source)
        if not path.is_file() or "node_modules" in relative.parts:
            continue
        (target / relative).parent.mkdir(parents=True, exist_ok=True)
        mark = {".md": mark_markdown, ".rst": mark_rst}.get(path.suffix)
        if mark is None or re.search(without, str(relative)):
            shutil.copyfile(path, target / relative)
        else:
            (target / relative).write_text(mark(path.read_text(errors="replace")))


def run(command: str, folder: Path, tools: Path) -> None:
    """Run a command in a folder with the tools on the path; what it prints is in build.log."""
    path = os.pathsep.join(
        [str(tools / "venv/bin"), str(tools / "node_modules/.bin"), os.environ["PATH"]]
    )
    environment = {**os.environ, "PATH": path, "NODE_PATH": str(tools / "node_modules")}
    with (folder / "build.log").open("a") as log:
        done = subprocess.run(
            command, shell=True, cwd=folder, stdout=log, stderr=log, env=environment, timeout=900
        )
    if done.returncode:
        tail = (folder / "build.log").read_text(errors="replace")[-1500:]
        raise RuntimeError(f"{command}: exit status {done.returncode}\n{tail}")


def write_pages(source: Path, target: Path, front: str = "", flat: bool = False) -> None:
    """Copy the Markdown of a folder, marked, each with a title in new front matter.

    With `flat`, all files are in one folder, named by their paths.
    """
    for number, path in enumerate(sorted(source.rglob("*.md"))):
        text = path.read_text(errors="replace")
        old = _FRONT.match(text)
        named = re.search(r"^title: *[\"']?([^\"'\n]+)", old[0] if old else "", re.M)
        title = re.sub(r"[^\w .()-]", " ", named[1] if named else path.stem).strip()
        day = f"20{10 + number // 336 % 15}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}"
        body = mark_markdown(text[old.end() :] if old else text)
        body = re.sub(r"\{[{%].*?[%}]\}", "", body, flags=re.S)
        new = target / path.relative_to(source)
        if flat:
            parts = path.relative_to(source).with_suffix("").parts
            plain = parts[:-1] if parts[-1] == "index" and len(parts) > 1 else parts
            new = target / (re.sub(r"\W+", "-", "-".join(plain)) + ".md")
        new.parent.mkdir(parents=True, exist_ok=True)
        kind = front.format(title=title, day=day)
        new.write_text(f"{kind}\n{body}" if kind else body)


def mkdocs(theme: str) -> Build:
    """MkDocs: pages in the order of their paths."""

    def build(source: Path, tools: Path, work: Path) -> Path:
        write_pages(source, work / "docs", "---\ntitle: {title}\n---")
        (work / "mkdocs.yml").write_text(
            "site_name: Docs\nsite_url: https://docs.example.org/\n"
            f"repo_url: https://github.com/example/docs\ntheme:\n  name: {theme}\n"
        )
        run("mkdocs build -q", work, tools)
        return work / "site"

    return build


def sphinx(theme: str, extensions: str = "") -> Build:
    """Sphinx: the project's files, with our own settings."""

    def build(source: Path, tools: Path, work: Path) -> Path:
        copy_marked(source, work / "docs")
        root = next(name for name in ("index", "contents") if [*(work / "docs").glob(f"{name}.*")])
        (work / "docs/conf.py").write_text(
            f"project = 'Docs'\nmaster_doc = {root!r}\nextensions = {extensions.split()!r}\n"
            f"html_theme = {theme!r}\nsuppress_warnings = ['*']\n"
        )
        run("sphinx-build -Q -b html docs site", work, tools)
        return work / "site"

    return build


def hugo(source: Path, tools: Path, work: Path) -> Path:
    """Hugo: the site of Hugo's own documentation, with its own theme."""
    copy_marked(source, work, without=r"^(?!content/)")
    remote = r"\{\{<\s*(?:tweet|twitter|instagram|vimeo|gist|youtube)\b[^>]*>\}\}"
    for path in (work / "content").rglob("*.md"):
        path.write_text(re.sub(remote, "", path.read_text()))
    for path in (work / "_vendor").rglob("author-github-data*.html"):
        path.write_text("")
    run("hugo --quiet --enableGitInfo=false", work, tools)
    return work / "public"


def jekyll(source: Path, tools: Path, work: Path) -> Path:
    """Jekyll with the theme of `jekyll new`: posts."""
    front = "---\nlayout: post\ntitle: '{title}'\ndate: {day}\n---"
    write_pages(source, work / "all", front, flat=True)
    (work / "_posts").mkdir()
    for path in (work / "all").glob("*.md"):
        day = re.findall(r"^date: (\S+)", path.read_text(), re.M)[0]
        path.rename(work / "_posts" / f"{day}-{path.name}")
    (work / "_config.yml").write_text("title: Notes\ntheme: minima\n")
    (work / "index.md").write_text("---\nlayout: home\n---\n")
    run("jekyll build -q", work, tools)
    return work / "_site"


def vitepress(source: Path, tools: Path, work: Path) -> Path:
    """VitePress with its default theme, a menu and a sidebar."""
    write_pages(source, work / "docs", "---\ntitle: {title}\n---")
    for path in (work / "docs").rglob("*.md"):
        text = re.sub(r"<(?!!--)", "&lt;", path.read_text())
        path.write_text(re.sub(r"\]\((?!https?:|#|/)[^)]*\)", _keep_path, text))
    pages = [
        str(path.relative_to(work / "docs").with_suffix(""))
        for path in sorted((work / "docs").rglob("*.md"))
    ]
    items = ",".join(f"{{text:'{page}',link:'/{page}'}}" for page in pages)
    config = work / "docs/.vitepress/config.mjs"
    config.parent.mkdir()
    config.write_text(
        "export default {title:'Docs',ignoreDeadLinks:true,markdown:{attrs:{disable:true}},"
        "themeConfig:{"
        f"nav:[{{text:'Home',link:'/'}}],sidebar:[{items}],"
        "editLink:{pattern:'https://github.com/example/docs/edit/main/:path'}}}"
    )
    (work / "node_modules").symlink_to(tools / "node_modules")
    run("vitepress build docs", work, tools)
    return work / "docs/.vitepress/dist"


def _keep_path(link: re.Match[str]) -> str:
    return link[0].replace(" ", "%20")


def hexo(theme: str) -> Build:
    """Hexo: posts in the order of their dates."""

    def build(source: Path, tools: Path, work: Path) -> Path:
        front = "---\ntitle: '{title}'\ndate: {day}\n---"
        write_pages(source, work / "source/_posts", front, flat=True)
        names = " ".join(
            f'"{name}": "*",' for name in NODE_TOOLS.split() if name.startswith("hexo")
        )
        (work / "package.json").write_text(
            f'{{"name": "site", "hexo": {{"version": "8.0.0"}}, "dependencies": {{{names[:-1]}}}}}'
        )
        (work / "_config.yml").write_text(
            f"title: Notes\nurl: https://notes.example.org\ntheme: {theme}\n"
            "permalink: :name/\nper_page: 10\n"
        )
        (work / "node_modules").symlink_to(tools / "node_modules")
        run("hexo generate --silent", work, tools)
        return work / "public"

    return build


def honkit(source: Path, tools: Path, work: Path) -> Path:
    """HonKit, the successor of GitBook: a book with a table of contents."""
    write_pages(source, work / "book")
    pages = sorted((work / "book").rglob("*.md"))
    lines = [f"* [{path.parent.name}]({path.relative_to(work / 'book')})" for path in pages]
    (work / "book/SUMMARY.md").write_text("# Summary\n\n" + "\n".join(lines) + "\n")
    if not (work / "book/README.md").exists():
        (work / "book/README.md").write_text("# Notes\n")
    run("honkit build book site", work, tools)
    return work / "book/site"


def pelican(theme: str) -> Build:
    """Pelican: posts, with the theme that comes with it."""

    def build(source: Path, tools: Path, work: Path) -> Path:
        front = "Title: {title}\nDate: {day}\n"
        write_pages(source, work / "content", front, flat=True)
        (work / "pelicanconf.py").write_text(
            "SITENAME = 'Notes'\nTIMEZONE = 'UTC'\nDEFAULT_LANG = 'en'\nPATH = 'content'\n"
            f"THEME = {theme!r}\nAUTHOR = 'Someone'\nSLUGIFY_SOURCE = 'basename'\n"
            "ARTICLE_URL = ARTICLE_SAVE_AS = 'posts/{slug}.html'\n"
        )
        run("pelican -q -s pelicanconf.py -o site content", work, tools)
        return work / "site"

    return build


def nikola(source: Path, tools: Path, work: Path) -> Path:
    """Nikola with its default theme: posts."""
    run("nikola init -q site", work, tools)
    front = ".. title: {title}\n.. date: {day} 10:00:00 UTC\n"
    write_pages(source, work / "site/posts", front, flat=True)
    config = work / "site/conf.py"
    config.write_text(config.read_text() + '\nPOSTS = [("posts/*.md", "posts", "post.tmpl")]\n')
    run("nikola build -q", work / "site", tools)
    return work / "site/output"


def ikiwiki(source: Path, tools: Path, work: Path) -> Path:
    """Ikiwiki: a wiki with backlinks below the text of each page."""
    for path in sorted(source.rglob("*.md")):
        new = work / "wiki" / path.relative_to(source).with_suffix(".mdwn")
        new.parent.mkdir(parents=True, exist_ok=True)
        text = _FRONT.sub("", path.read_text(errors="replace"))
        new.write_text(mark_markdown(text))
    run("ikiwiki wiki site --url https://wiki.example.org/ --wikiname Notes", work, tools)
    return work / "site"


def doxygen(source: Path, tools: Path, work: Path) -> Path:
    """Doxygen: Markdown pages with a tree of pages in JavaScript, and breadcrumbs."""
    write_pages(source, work / "docs")
    (work / "Doxyfile").write_text(
        "PROJECT_NAME = Docs\nINPUT = docs\nRECURSIVE = YES\nFILE_PATTERNS = *.md\n"
        "GENERATE_LATEX = NO\nHTML_OUTPUT = site\nQUIET = YES\nWARNINGS = NO\n"
    )
    run("doxygen", work, tools)
    return work / "site"


def debian(source: Path, tools: Path, work: Path) -> Path:
    """Documentation that Debian built, whose theme already marks the author's text."""
    shutil.copytree(source, work / "site", ignore=shutil.ignore_patterns("*.txt", "_static"))
    for path in (work / "site").rglob("*.html"):
        text = path.read_text(errors="replace")
        begin, end = '<div class="body" role="main">', '<div class="sphinxsidebar"'
        if text.count(begin) == text.count(end) == 1 and text.index(begin) < text.index(end):
            text = text.replace(begin, f"{begin}<p>{BEGIN}</p>").replace(end, f"<p>{END}</p>{end}")
            path.write_text(text)
    return work / "site"


SITES = {
    "python3-doc": Site(
        "Sphinx, python_docs_theme", "/usr/share/doc/python3-doc/html", debian, True
    ),
    "accessibility": Site("MkDocs, mkdocs", "mdn:web/accessibility", mkdocs("mkdocs"), True),
    "flask": Site("Sphinx, alabaster", "pip:flask:docs", sphinx("alabaster"), True),
    "games": Site("Hexo, landscape", "mdn:games", hexo("landscape"), True),
    "node": Site("VitePress", "/usr/share/doc/nodejs/api", vitepress, True),
    "npm": Site("Jekyll, minima", "npm:npm:docs/content", jekyll, True),
    "add-ons": Site("MkDocs, readthedocs", "mdn:mozilla/add-ons", mkdocs("readthedocs"), True),
    "obsidian": Site("MkDocs, Material", "obsidian:", mkdocs("material"), True),
    "python-c-api": Site("Sphinx, sphinx_rtd_theme", "rst:c-api", sphinx("sphinx_rtd_theme")),
    "click": Site("Sphinx, Furo", "pip:click:docs", sphinx("furo", "myst_parser"), True),
    "jinja": Site("Sphinx, PyData", "pip:jinja2:docs", sphinx("pydata_sphinx_theme"), True),
    "python-howto": Site("Sphinx, Book", "rst:howto", sphinx("sphinx_book_theme"), True),
    "python-tutorial": Site("Sphinx, nature", "rst:tutorial", sphinx("nature")),
    "python-faq": Site("Sphinx, agogo", "rst:faq", sphinx("agogo")),
    "python-using": Site("Sphinx, bizstyle", "rst:using", sphinx("bizstyle")),
    "hugo": Site("Hugo, gohugoioTheme", "debian:hugo:docs", hugo, True),
    "writing": Site("HonKit", "mdn:mdn", honkit, True),
    "glossary": Site("Pelican, notmyidea", "mdn:glossary", pelican("notmyidea")),
    "security": Site("Pelican, simple", "mdn:web/security", pelican("simple")),
    "learn": Site("Nikola, bootblog4", "mdn:learn_web_development", nikola),
    "configuration": Site("ikiwiki", "npm:npm:docs/content", ikiwiki, fitted=True),
    "api": Site("Doxygen", "/usr/share/doc/nodejs/api", doxygen),
}


def source_of(spec: str, folder: Path, tools: Path) -> Path:
    """The folder of a source: a path, or a part of a package or of the shared data."""
    kind, _, rest = spec.partition(":")
    if not rest and kind.startswith("/"):
        return Path(kind)
    where = folder / "sources" / re.sub(r"\W+", "-", spec)
    if where.exists():
        return where
    shared = Path(os.environ.get("RELATED_SHARED", "../shared")) / "data"
    where.mkdir(parents=True)
    name, _, inner = rest.partition(":")
    if kind == "rst":
        top = Path("/usr/share/doc/python3-doc/html/_sources") / name
        for path in top.rglob("*.rst.txt"):
            new = where / path.relative_to(top).with_suffix("")
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(_OLD_INDEX.sub(r"\1pair: \2; ", path.read_text()))
    elif kind == "mdn":
        unpack(
            shared / "mdn/mdn_content_en-us_markdown.tar.zst",
            where,
            f"*/en-us/{name}/*",
            2 + len(name.split("/")),
        )
    elif kind == "obsidian":
        unpack(shared / "obsidian_help/obsidian_help_en_markdown.tar.zst", where, "en/*", 1)
        link_notes(where)
    elif kind == "pip":
        run(f"pip download -q --no-deps --no-binary :all: {name} -d {where}", where, tools)
        archive = next(where.glob("*.tar.gz"))
        unpack(archive, where, f"*/{inner}/*", 1 + len(inner.split("/")))
    elif kind == "npm":
        run(f"npm pack {name}", where, tools)
        unpack(next(where.glob("*.tgz")), where, f"package/{inner}/*", 1 + len(inner.split("/")))
    elif kind == "debian":
        run(f"apt-get source --download-only -q {name}", where, tools)
        unpack(next(where.glob("*.orig.tar.*")), where, f"*/{inner}/*", 1 + len(inner.split("/")))
    return where


def unpack(archive: Path, target: Path, pattern: str, strip: int) -> None:
    """Unpack the files of an archive that match, without the first `strip` folders."""
    command = ["tar", "-xf", archive, "-C", target, "--wildcards", f"--strip-components={strip}"]
    subprocess.run([*command, pattern], check=True)


def link_notes(folder: Path) -> None:
    """Turn the wikilinks of a vault into links of Markdown."""
    by_name = {path.stem.lower(): path for path in sorted(folder.rglob("*.md"))}
    for path in by_name.values():

        def link(found: re.Match[str], path: Path = path) -> str:
            name, _, text = found[1].partition("|")
            target = by_name.get(name.partition("#")[0].rpartition("/")[2].lower().strip())
            if target is None:
                return text or name
            relative = os.path.relpath(target, path.parent).replace(" ", "%20")
            return f"[{text or name}]({relative})"

        path.write_text(re.sub(r"\[\[([^\[\]\n]+)\]\]", link, path.read_text()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("sites", nargs="*", metavar="SITE", help=", ".join(SITES))
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    tools = folder / "tools"
    if not tools.exists():
        tools.mkdir(parents=True)
        run(f"{sys.executable} -m venv venv && pip install -q {PYTHON_TOOLS}", tools, tools)
        run(f"npm install --no-audit --no-fund {NODE_TOOLS}", tools, tools)
    for name in arguments.sites or SITES:
        work = folder / name / "work"
        built = folder / name / "built"
        if built.exists():
            continue
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        try:
            site = SITES[name].build(source_of(SITES[name].source, folder, tools), tools, work)
        except (OSError, RuntimeError, StopIteration, subprocess.SubprocessError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        site.rename(built)
        shutil.rmtree(work)
        print(name, sum(1 for _ in built.rglob("*.html")), "pages")


if __name__ == "__main__":
    main()
