"""Builds the docs as a site, with Sphinx: `make site`.

People also read the pages in the repository, so they are adapted only while building:

1. the lists of `index.md` are the table of contents; pages that are not in them come last;
2. links to files outside this folder become text, links to the README lead to the first page;
3. formulas are MathML, which needs no script and nothing from other sites;
4. the first example of the first page becomes a demo, with a link to the sample Web if it is
   published beside the docs (the tag `sample`);
5. the sidebar links to the sites of other releases.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
EXAMPLE = re.compile(r"^```console\n.*?^```\n", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^\]\n]+)\]\(((?:\.\./)+(?!\.)[^)\s]*)\)")


def releases(change_log: str) -> list[str]:
    """The released versions, the newest first; each has its site in a folder beside this one."""
    return re.findall(r"^## (\d[\w.]*)", change_log, re.MULTILINE)


project = "whatsrelated"
release = metadata.version(project)
html_title = project
extensions = ["myst_parser", "sphinx_copybutton", "whatsrelated.apps.site.sphinx"]
copybutton_prompt_text = r"\$ |> |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
html_theme = "furo"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0a5c70",
        "color-brand-content": "#0a5c70",
        "color-brand-visited": "#0a5c70",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc7d8",
        "color-brand-content": "#7cc7d8",
        "color-brand-visited": "#7cc7d8",
    },
}
html_logo = html_favicon = "../src/whatsrelated/apps/serve/static/icon.svg"
html_math_renderer = "mathml"
html_use_index = False
html_copy_source = html_show_sourcelink = html_show_copyright = html_show_sphinx = False
html_static_path = ["style"]
html_css_files = ["docs.css"]
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "versions.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_context = {"releases": releases((HERE.parent / "CHANGELOG.md").read_text(encoding="utf-8"))}


def prepare(app: Sphinx, name: str, source: list[str]) -> None:
    """Adapt a page for the site."""
    source[0] = LINK.sub(lambda link: local_link(name, link), source[0])
    if name == "index":
        from docs.demo import demo

        block = f"```{{raw}} html\n{demo(published='sample' in app.tags)}\n```\n"
        source[0] = EXAMPLE.sub(lambda _: block, source[0], count=1)
        source[0] += contents(source[0])


def local_link(page: str, link: re.Match[str]) -> str:
    """Rewrite a link out of the page's folder: to a page, to the start, or to plain text."""
    target = (HERE / page).parent.joinpath(link[2].partition("#")[0]).resolve()
    if target.is_relative_to(HERE) and target.exists():
        return link[0]
    start = "../" * page.count("/") + "index.md"
    return f"[{link[1]}]({start})" if target.name == "README.md" else link[1]


def contents(index: str) -> str:
    """The tables of contents: one for each heading of the index, with the pages below it."""
    parts = []
    listed = {"index"}
    for section in index.split("\n## ")[1:]:
        pages = re.findall(r"^- \[.*?\]\(([\w/-]+)\.md\)", section, re.MULTILINE)
        listed.update(pages)
        parts.append((section.partition("\n")[0], pages))
    every = {str(page.relative_to(HERE).with_suffix("")) for page in HERE.rglob("*.md")}
    reports = {name for name in every if name.startswith("reports/")}
    parts.append(("Reports", sorted(reports - listed)))
    parts.append(("More", sorted(every - listed - reports)))
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```\n"
        for caption, pages in parts
        if pages
    )


def formula(self: Any, node: nodes.Element) -> None:
    """A formula as MathML."""
    block = isinstance(node, nodes.math_block)
    self.body.append(tex2mathml(node.astext(), as_block=block))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register everything that adapts the pages."""
    app.connect("source-read", prepare)
    app.add_html_math_renderer("mathml", (formula, None), (formula, None))
