"""The demo on the first page of the docs site: answers of the sample Web, computed at build time.

It is HTML and CSS alone: a radio button for each page shows the answer for that page.
"""

from __future__ import annotations

from html import escape

import whatsrelated as wr
from whatsrelated import sample
from whatsrelated.contract.strength import percent

PAGES = ["www.nytimes.com", "www.louvre.fr", "www.python.org", "www.toyota.com", "www.nasa.gov"]
LIMIT = 5


def demo(published: bool = False) -> str:
    """The demo as HTML, with a link to the sample Web if that is `published` in `sample/`."""
    graph = wr.Graph.from_pages(sample.pages())
    answers = [graph.related(page, limit=LIMIT) for page in PAGES]
    choices = "".join(
        f'<input type="radio" name="demo" id="demo-{number}"{" checked" * (number == 0)}>'
        f'<label for="demo-{number}">{escape(graph.title(graph.page(page)))}</label>'
        for number, page in enumerate(PAGES)
    )
    lists = "".join(f"<ol>{''.join(map(_entry, answer))}</ol>" for answer in answers)
    legend = "<p>Pages related to …</p>"
    more = '<a href="sample/index.html">Explore the whole sample Web.</a>' if published else ""
    note = f"<p>Computed from the links of the sample Web when this site was built. {more}</p>"
    return f'<div class="demo">{legend}{choices}{lists}{note}</div>'


def _entry(result: wr.Result) -> str:
    strength = percent(result.score)
    sentence = escape(str(result.evidence["sentence"]))
    bar = f'<meter min="0" max="1" value="{result.score:.3f}">{strength}</meter> {strength}'
    title = escape(result.title or result.url)
    return f"<li><strong>{title}</strong> <span>{bar}</span><p>{sentence}</p></li>"
