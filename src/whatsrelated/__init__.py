"""Find related pages from links alone.

Nothing is imported before it is used. Type checkers read `__init__.pyi`, which `make docs`
generates from this module and the registries of methods and ranks.
"""

from __future__ import annotations

_HOMES = {
    "api": ("Graph", "build", "open"),
    "api.contents": ("GraphPage",),
    "api.updating": ("update",),
    "contract.candidates": ("Candidates", "Result"),
    "contract.question": ("Question",),
    "errors": (
        "BuildError",
        "GraphFormatError",
        "MissingExtra",
        "NotConverged",
        "OptionError",
        "OutOfMemory",
        "OutOfTime",
        "PageNotFound",
        "ReadError",
        "RelatedError",
        "SparkError",
    ),
    "methods": ("Method",),
    "query.answer": ("Answer",),
    "query.comparison": ("Comparison",),
    "query.neighbours": ("Common",),
    "query.paths": ("LinkPaths",),
    "query.similarity": ("Similarity",),
    "ranks": ("Rank",),
    "ranks.ranking": ("Ranking",),
    "stream": ("Page", "Refused"),
}
"""Public names by the module that defines them; every method and rank is public too."""


def _public_modules() -> dict[str, str]:
    """Where each of these names is defined: `package.module:attribute`, as in a registry."""
    return {name: f"{__name__}.{home}:{name}" for home, names in _HOMES.items() for name in names}


def _registered() -> dict[str, str]:
    """Where our methods and ranks are defined."""
    from whatsrelated.methods import METHODS
    from whatsrelated.ranks import RANKS

    targets = [*METHODS.ours.values(), *RANKS.ours.values()]
    return {target.partition(":")[2]: target for target in targets}


def __getattr__(name: str) -> object:
    from importlib import metadata

    from whatsrelated.registry import import_attribute

    value: object
    if name == "__version__":
        value = metadata.version(__name__)
    elif name == "__all__":
        value = sorted({*_public_modules(), *_registered(), "__version__"})
    else:  # modules have lower-case names; Python imports them
        known = _public_modules() if name[:1].islower() else _public_modules() | _registered()
        if name not in known:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = import_attribute(known[name])
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_public_modules(), *_registered(), "__version__"})
