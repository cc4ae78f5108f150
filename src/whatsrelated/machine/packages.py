"""Other people's packages, imported when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from whatsrelated.errors import MissingExtra


def load(package: str, user: str) -> Any:
    """The package of that name; where it is not installed, the error has the pip command."""
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingExtra(f"{user} needs another package: pip install {package}.") from error
