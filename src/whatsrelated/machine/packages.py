"""Optional packages, imported when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from whatsrelated.errors import MissingExtra


def load(package: str, user: str, extra: str = "") -> Any:
    """Import a package; if it is missing, the error gives the pip command.

    `user` is the part that needs the package: the subject of "… needs an extra package".
    """
    try:
        return import_module(package)
    except ImportError as error:
        requirement = f"'whatsrelated[{extra}]'" if extra else package
        raise MissingExtra(f"{user} needs an extra package: pip install {requirement}.") from error
