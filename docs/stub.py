"""Writes the public names for type checkers, `src/whatsrelated/__init__.pyi`: `make docs`."""

from __future__ import annotations

from pathlib import Path

import whatsrelated

FILE = Path(whatsrelated.__file__).with_suffix(".pyi")
HEAD = "# Made by `make docs` from __init__.py and the registries of methods and ranks.\n\n"


def stub() -> str:
    """The public names, each imported from the module that defines it."""
    targets = {**whatsrelated._public_modules(), **whatsrelated._registered()}.values()
    pairs = sorted(tuple(target.split(":")) for target in targets)
    lines = [f"from {module} import {name} as {name}\n" for module, name in pairs]
    return f"{HEAD}{''.join(lines)}\n__version__: str\n"


def main() -> None:
    wanted = stub()
    if not FILE.exists() or FILE.read_text(encoding="utf-8") != wanted:
        FILE.write_text(wanted, encoding="utf-8")
        print("Wrote src/whatsrelated/__init__.pyi")


if __name__ == "__main__":
    main()
