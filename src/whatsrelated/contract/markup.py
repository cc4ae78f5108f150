"""HTML and SVG from Jinja templates: pages, reports, pictures and notebooks.

Names and titles are untrusted.  Jinja escapes them, `harmless` removes control and direction
characters, and only web addresses become links.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import TYPE_CHECKING, Any

from whatsrelated.contract.strength import percent
from whatsrelated.names.display import harmless
from whatsrelated.names.hosts import host_of

if TYPE_CHECKING:
    import jinja2
    import markupsafe

SHARED = "whatsrelated.contract"
"""The package whose templates all other packages can extend and import."""


@cache
def environment(package: str) -> jinja2.Environment:
    """The templates in a package's `templates` folder, and the shared ones."""
    import jinja2

    loaders = [jinja2.PackageLoader(name) for name in dict.fromkeys((package, SHARED))]
    loaders.append(jinja2.PackageLoader(SHARED, "static"))
    templates = jinja2.Environment(
        loader=jinja2.ChoiceLoader(loaders),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: harmless(value) if type(value) is str else value,
    )
    templates.filters.update(
        digest=digest,
        figure=figure,
        number=number,
        outside=outside,
        percent=percent,
        readable=readable,
    )
    return templates


def render(package: str, template: str, **values: Any) -> markupsafe.Markup:
    """Render a template of a package."""
    import markupsafe

    return markupsafe.Markup(environment(package).get_template(template).render(values))


def render_report(package: str, template: str, **values: Any) -> str:
    """Render a report: a template that extends `report_page.html`."""
    from datetime import date
    from importlib import metadata

    stamp = {"version": metadata.version("whatsrelated"), "date": date.today().isoformat()}
    return str(render(package, template, made=stamp, **values))


def digest(script: str) -> str:
    """The hash that allows a script in a Content-Security-Policy."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def figure(value: Any) -> Any:
    """Format a value for a table: numbers are shortened, None becomes a dash."""
    if isinstance(value, float):
        if 0 < abs(value) < 0.001:
            return f"{value:.1e}"
        whole = value >= 100 or (value >= 10 and value.is_integer())
        return f"{value:,.{0 if whole else 1 if value >= 10 else 3}f}"
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else value


def number(value: float) -> str:
    """Format a number for people: thousands separators, four significant digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def outside(url: str) -> str | None:
    """The URL of a page on the Web; None for a plain name or another scheme."""
    return url if host_of(url) is not None and not url.lower().startswith("file:") else None


def readable(url: str) -> str:
    """A URL without `https://` or `http://`."""
    return url.removeprefix("https://").removeprefix("http://")
