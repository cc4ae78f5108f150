"""Every kernel is an extension, compiled where that is possible; the rest is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

PACKAGE = "whatsrelated.kernels"
FOLDER = Path("src", *PACKAGE.split("."))
INCLUDED = [str(path) for kind in ("pxd", "pxi", "h") for path in sorted(FOLDER.glob(f"*.{kind}"))]


def extension(source: Path, **settings: object) -> Extension:
    return Extension(f"{PACKAGE}.{source.stem}", [str(source)], optional=True, **settings)


kernels = [
    extension(path, depends=INCLUDED, extra_compile_args=["-O3"])
    for path in sorted(FOLDER.glob("_*.pyx"))
]
setup(ext_modules=[extension(FOLDER / "_shared.c"), *kernels])
