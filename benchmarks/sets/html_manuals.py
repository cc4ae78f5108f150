"""Manuals in HTML: the links of each page's text, and separately its "See also" links.

    python -m benchmarks.sets.html_manuals ROOT OUT [--only git,python]

ROOT holds the unpacked packages (`dpkg-deb -x`), including ROOT/usr/share/doc.
Navigation is left out, as marked by a class, an id or a tag of the manual.
Links to outside pages stay: they are pages that were not read.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

from lxml import html

from benchmarks.sets import collection

SEE_ALSO = re.compile(r"\W*(see[ -]also|related (links|topics|pages))\W*", re.IGNORECASE)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
BOLD = {"b", "strong", "em", "i", "span"}
LISTS = {"seealso", "see-list", "relatedbody"}
AROUND = {"nav", "header", "footer", "aside", "script", "style"}


SPHINX = (
    "headerlink sphinxsidebar related footer topbar toctree-wrapper viewcode-link bd-sidebar"
    " bd-toc bd-header prev-next-area bd-sidebar-primary bd-sidebar-secondary md-sidebar"
    " md-header md-footer"
)
DOXYGEN = "navpath top tabs navrow1 navrow2 header footer MSearchSelectWindow dynheader dyncontent"
DOXYGEN_UNREAD = (
    r".*(-members|_source|functions.*|globals.*|annotated|classes|hierarchy|files|"
    r"namespacemembers.*|index|pages|modules)\.html$"
)
UNREAD = r"(genindex|search|_modules|_static|py-modindex|whatsnew|release|changelog)"


@dataclass(frozen=True)
class Manual:
    """Where a manual is, its address, and what marks its navigation."""

    title: str
    folder: str
    site: str
    around: str = ""
    leave: str = ""
    sentence: bool = False
    """Whether a paragraph that begins with "See also" is a list of related pages."""


MANUALS = {
    "apache": Manual(
        "Apache's manual",
        "doc/apache2-doc/manual/en",
        "https://httpd.apache.org/docs/",
        "page-header path footer toplang bottomlang top comments_section",
    ),
    "git": Manual("Git's manual", "doc/git-doc", "https://git-scm.com/docs/", "footer toc"),
    "postgresql": Manual(
        "PostgreSQL's manual",
        "doc/postgresql-doc-15/html",
        "https://www.postgresql.org/docs/15/",
        "navheader navfooter toc",
    ),
    "python": Manual(
        "Python's manual",
        "doc/python3.11/html",
        "https://docs.python.org/3.11/",
        "sphinxsidebar related footer headerlink toctree-wrapper",
        leave=r"(genindex|search|_sources|_static|contents|py-modindex)",
    ),
    "cppreference": Manual(
        "cppreference",
        "cppreference/doc/html/en",
        "https://en.cppreference.com/w/",
        "t-navbar mw-head cpp-footer-base catlinks toc editsection noprint",
    ),
    "csound": Manual(
        "Csound's manual",
        "doc/csound-doc/html",
        "https://csound.com/docs/manual/",
        "navheader navfooter toc",
    ),
    "grass": Manual(
        "GRASS' manual",
        "doc/grass-doc/html",
        "https://grass.osgeo.org/manuals/",
        "toc",
        leave=r"(index|topics|keywords|graphical_index|full_index|topic_|.*_graphical)",
    ),
    "erlang": Manual(
        "Erlang's manual",
        "doc/erlang-doc/lib",
        "https://www.erlang.org/doc/",
        "leftnav flipMenu panel title-anchors exports-tube footer",
        leave=r".*(_index|index|users_guide|release_notes|notes.*|introduction)\.html$|.*/java/",
    ),
    "scipy": Manual(
        "SciPy's manual",
        "doc/python-scipy-doc/html",
        "https://docs.scipy.org/doc/scipy/",
        "bd-sidebar bd-toc headerlink bd-header prev-next-area sphinxsidebar related footer"
        " bd-sidebar-primary bd-sidebar-secondary toctree-wrapper viewcode-link",
        leave=r"(genindex|search|_modules|_static|py-modindex|release)",
    ),
    "pandas": Manual(
        "Pandas' manual",
        "doc/python-pandas-doc/html",
        "https://pandas.pydata.org/docs/",
        "bd-sidebar bd-toc headerlink bd-header prev-next-area sphinxsidebar related footer"
        " bd-sidebar-primary bd-sidebar-secondary toctree-wrapper viewcode-link"
        " bd-links navbar prev-next-bottom",
        leave=r"(genindex|search|_modules|_static|py-modindex|whatsnew)",
    ),
    "sklearn": Manual(
        "scikit-learn's manual",
        "doc/python-sklearn-doc/html",
        "https://scikit-learn.org/stable/",
        "sk-sidebar-toc-wrapper headerlink navbar footer sk-sidebar-toc sphinxsidebar related"
        " toctree-wrapper viewcode-link sk-toctree sphx-glr-footer",
        leave=r"(genindex|search|_modules|_static|py-modindex|whats_new)",
    ),
    "astropy": Manual(
        "Astropy's manual",
        "doc/python-astropy-doc/html",
        "https://docs.astropy.org/en/stable/",
        "headerlink sphinxsidebar related footer topbar toctree-wrapper viewcode-link",
        leave=r"(genindex|search|_modules|_static|py-modindex|whatsnew)",
    ),
    "openjdk": Manual(
        "Java's manual",
        "doc/openjdk-17-jre-headless/api",
        "https://docs.oracle.com/en/java/javase/17/docs/api/",
        "top-nav sub-nav bottom-nav nav-bar-cell1-rev inheritance sub-title flex-header",
        leave=r"(index-files|.*(package-use|class-use|package-tree|overview-tree|allclasses|"
        r"allpackages|index\.html|help-doc|constant-values|deprecated|serialized-form))",
    ),
    "qt": Manual(
        "Qt's manual",
        "qt5/doc",
        "https://doc.qt.io/qt-5/",
        "sidebar sidebar-content navigationbar toc footer naviNextPrevious navi main-rounded",
        leave=r".*(-members|-obsolete|functions|classes|index|-module)\.html$",
        sentence=True,
    ),
    "sqlite": Manual(
        "SQLite's C interface",
        "doc/sqlite3/c3ref",
        "https://sqlite.org/c3ref/",
        "nosearch menu toc",
        leave=r"(objlist|constlist|funclist|intro)",
        sentence=True,
    ),
    "lilypond": Manual(
        "LilyPond's manual",
        "doc/lilypond/html/Documentation",
        "https://lilypond.org/doc/v2.24/",
        "nav_table toc footer node-box contents index-char index",
        leave=r".*(index|_toc|_abt|_fot)\.html$",
    ),
    "slurm": Manual(
        "Slurm's manual",
        "doc/slurm-wlm/html",
        "https://slurm.schedmd.com/",
        "nav container-nav footer site-header site-nav slurm_link",
    ),
    "statsmodels": Manual(
        "statsmodels' manual",
        "doc/python-statsmodels-doc/html",
        "https://www.statsmodels.org/stable/",
        SPHINX,
        leave=UNREAD,
    ),
    "sqlalchemy": Manual(
        "SQLAlchemy's manual",
        "doc/python-sqlalchemy-doc/html",
        "https://docs.sqlalchemy.org/en/14/",
        f"{SPHINX} docs-top-navigation docs-bottom-navigation docs-sidebar",
        leave=UNREAD,
    ),
    "django": Manual(
        "Django's manual",
        "doc/python-django-doc/html",
        "https://docs.djangoproject.com/en/3.2/",
        f"{SPHINX} nav",
        leave=UNREAD,
    ),
    "sympy": Manual(
        "SymPy's manual",
        "doc/python-sympy-doc/html",
        "https://docs.sympy.org/latest/",
        SPHINX,
        leave=UNREAD,
    ),
    "octave": Manual(
        "Octave's manual",
        "doc/octave/octave.html",
        "https://docs.octave.org/v7.3.0/",
        "nav-panel header",
        leave=r".*(index|Index)\.html$",
    ),
    "dask": Manual(
        "Dask's manual",
        "doc/python-dask-doc/html",
        "https://docs.dask.org/en/stable/",
        f"{SPHINX} bd-links navbar",
        leave=UNREAD,
    ),
    "gtk": Manual(
        "GTK's and GLib's manuals",
        "gtk-doc/html",
        "https://docs.gtk.org/",
        "navigation footer toc shortcuts gallery-float",
        leave=r".*(api-index|annotation-glossary|index|ch\d+|pt\d+)[^/]*\.html$",
    ),
    "qtquick": Manual(
        "Qt Quick's manual",
        "qt5/doc",
        "https://doc.qt.io/qt-5/",
        "sidebar sidebar-content navigationbar toc footer naviNextPrevious navi main-rounded",
        leave=r".*(-members|-obsolete|functions|classes|index|-module)\.html$",
        sentence=True,
    ),
    "gimp": Manual(
        "GIMP's manual",
        "gimp/2.0/help/en",
        "https://docs.gimp.org/2.10/en/",
        "navheader navfooter toc",
        leave=r"(index|bibliography|glossary)\.html$",
    ),
    "racket": Manual(
        "Racket's manual",
        "doc/racket",
        "https://docs.racket-lang.org/",
        "tocset tocview tocsub navsettop navsetbottom versionbox",
        leave=r"(.*/(index|doc-index)|search/.*|release/.*|local-redirect/.*)",
    ),
    "maxima": Manual(
        "Maxima's manual",
        "doc/maxima-doc/html",
        "https://maxima.sourceforge.io/docs/manual/",
        "header contents",
        leave=r"maxima_(toc|abt|singlepage|37[0-9])",
    ),
    "r": Manual("R's manual", "R-html", "https://rdrr.io/r/", "footer"),
    "rcran": Manual("R's contributed packages", "R-contributed", "https://rdrr.io/cran/", "footer"),
    "petsc": Manual(
        "PETSc's manual pages",
        "doc/petsc3.18-doc/docs",
        "https://petsc.org/release/",
        f"{SPHINX} bd-links navbar toc-item",
        leave=r"(?!docs/(manual|manualpages)/)|.*/(index|singleindex)\.html$",
    ),
    "slepc": Manual(
        "SLEPc's manual pages",
        "doc/slepc3.18-doc/docs/manualpages",
        "https://slepc.upv.es/documentation/current/docs/manualpages/",
        leave=r"(.*/)?(index|singleindex|sec/.*)\.html$",
    ),
    "libreoffice": Manual(
        "LibreOffice's help",
        "libreoffice/help",
        "https://help.libreoffice.org/7.4/",
        "leftside Contents DisplayArea-nav donation footer SearchFrame",
        leave=r"(index|en-US/(bookmarks|contents|langnames|noscript|content2)[^/]*)\.html$",
    ),
    "wxwidgets": Manual(
        "wxWidgets' manual",
        "doc/wx3.2-doc",
        "https://docs.wxwidgets.org/3.2/",
        DOXYGEN,
        leave=r".*(-members|_source|functions.*|globals.*|annotated|classes|hierarchy|files|"
        r"namespacemembers.*|index|pages|group__group__class.*|page_class_cat)\.html$",
    ),
    "scilab": Manual(
        "Scilab's help",
        "scilab-help/scilab_en_US_help",
        "https://help.scilab.org/docs/6.1.1/en_US/",
        "manualnavbar path",
        leave=r"(index|section_.*)\.html$",
    ),
    "pike": Manual(
        "Pike's manual",
        "doc/pike8.0-doc/html/reference/ex",
        "https://pike.lysator.liu.se/generated/manual/modref/ex/",
        "sidebar sidebar-nav navbar navigator footer inner menu",
    ),
    "freepascal": Manual(
        "Free Pascal's manual",
        "doc/fp-docs/3.2.2",
        "https://www.freepascal.org/docs-html/current/",
        "bar",
        leave=r"(.*/)?(index(-\d+)?|.*toc)\.html$",
    ),
    "eigen": Manual(
        "Eigen's manual",
        "doc/libeigen3-dev/html",
        "https://eigen.tuxfamily.org/dox/",
        DOXYGEN,
        leave=DOXYGEN_UNREAD,
    ),
    "fltk": Manual(
        "FLTK's manual",
        "doc/fltk1.3-doc/HTML",
        "https://www.fltk.org/doc-1.3/",
        DOXYGEN,
        leave=DOXYGEN_UNREAD,
    ),
    "tcllib": Manual("Tcllib's manual", "doc/tcllib/html", "https://core.tcl-lang.org/tcllib/", ""),
}


def read(root: Path, manual: Manual) -> collection.Set:
    base = root / "usr/share" / manual.folder
    leave = re.compile(manual.leave or r"(?!)")
    files = {
        f"{manual.site}{path}": file
        for file in sorted(base.rglob("*.html"))
        if not leave.match(path := file.relative_to(base).as_posix()) and not file.is_symlink()
    }
    links, gold, titles, texts = {}, {}, {}, {}
    for url, file in files.items():
        page = Page(file.read_bytes(), manual)
        base = urljoin(url, page.base)
        links[url] = list(resolved(base, page.text, manual, files))
        titles[url] = page.title
        texts[url] = " ".join(page.words)
        if listed := list(resolved(base, page.see_also, manual, files)):
            gold[url] = listed
    return collection.Set(manual.title, "manual", links, gold, titles, texts)


def resolved(url: str, hrefs: list[str], manual: Manual, files: dict[str, Path]) -> Iterator[str]:
    """The pages of the manual, and those outside it; files that are not pages are left out."""
    for href in hrefs:
        try:
            target = urldefrag(urljoin(url, href))[0]
            outside = urlsplit(target).netloc != urlsplit(manual.site).netloc
        except ValueError:
            continue
        if target in files or (outside and target.startswith(("http://", "https://"))):
            yield target


class Page:
    """The links of one page, with those under "See also" separate."""

    def __init__(self, source: bytes, manual: Manual) -> None:
        self.text: list[str] = []
        self.see_also: list[str] = []
        self.words: list[str] = []
        self.title = self.base = ""
        self.around = {*manual.around.split()}
        self.sentence = manual.sentence
        self.section = 0  # the level of the heading "See also" that we are under
        try:
            tree = html.document_fromstring(source)
        except Exception:
            return
        found = tree.find(".//title")
        self.base = next((base.get("href", "") for base in tree.iter("base")), "")
        self.title = (found.text_content() if found is not None else "").strip()
        self.visit(tree, False)

    def visit(self, element: html.HtmlElement, listed: bool) -> None:
        tag = element.tag
        if not isinstance(tag, str) or tag in AROUND:
            return
        marks = {*element.get("class", "").split(), element.get("id", "")}
        if marks & self.around or element.get("role") == "navigation":
            return
        if level := HEADINGS.get(tag):
            if SEE_ALSO.fullmatch(element.text_content()):
                self.section = level
            elif level <= self.section:
                self.section = 0
        listed = listed or bool(marks & LISTS) or begins(element, self.sentence)
        if tag == "a" and (href := element.get("href")):
            (self.see_also if listed or self.section else self.text).append(href)
        self.say(element.text, listed)
        term = False
        for child in element:
            if child.tag == "dt":
                term = bool(SEE_ALSO.fullmatch(child.text_content()))
            self.visit(child, listed or (term and child.tag == "dd"))
            self.say(child.tail, listed)

    def say(self, text: str | None, listed: bool) -> None:
        """Keep a piece of text, unless it belongs to a list of related pages."""
        if text and not listed and not self.section:
            self.words.append(text)


def begins(element: html.HtmlElement, sentence: bool) -> bool:
    """Whether a paragraph begins with the words, in bold or, if the manual does so, plain."""
    if element.tag not in ("p", "div", "dd"):
        return False
    if (element.text or "").strip():
        return (
            sentence
            and element.tag == "p"
            and bool(re.match(r"\s*see also:", element.text, re.IGNORECASE))
        )
    first = next(iter(element), None)
    return (
        first is not None and first.tag in BOLD and bool(SEE_ALSO.fullmatch(first.text_content()))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default=",".join(MANUALS))
    asked = parser.parse_args()
    for name in asked.only.split(","):
        one = read(asked.root, MANUALS[name])
        collection.write(asked.out / name, one)


if __name__ == "__main__":
    main()
