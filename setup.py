"""Every kernel is an extension, compiled if possible; the rest is in pyproject.toml.

A wheel contains a bill of materials for bundled code that is not ours (PEP 770).
"""

import hashlib
import json
import re
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel

PACKAGE = "whatsrelated.kernels"
FOLDER = Path("src", *PACKAGE.split("."))
INCLUDED = [str(path) for kind in ("pxd", "pxi", "h") for path in sorted(FOLDER.rglob(f"*.{kind}"))]
GAIN = ("_authorities", "_blend", "_companion", "_name_table", "_packing", "_walk")
"""Kernels that -O3 makes faster: packing by half, the rest by up to a sixth."""
STATIC = Path("src", "whatsrelated", "apps", "serve", "static")


# One wheel for every CPython from 3.11 on; those without a global lock have no stable ABI.
STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")
LIMITED = [("Py_LIMITED_API", "0x030b0000"), ("CYTHON_LIMITED_API", "1")] if STABLE else []


def extension(source: Path, **settings: object) -> Extension:
    return Extension(
        f"{PACKAGE}.{source.parent.name}.{source.stem}",
        [str(source)],
        include_dirs=[str(FOLDER / "shared")],
        optional=True,
        define_macros=LIMITED,
        py_limited_api=STABLE,
        **settings,
    )


def component(name: str, version: str, purl: str, licence: str, **more: object) -> dict:
    """One entry of a bill of materials."""
    licences = [{"license": {"id": licence}}]
    return {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:{purl}/{name}@{version}",
        "licenses": licences,
        **more,
    }


def bill_of_materials(version: str) -> dict:
    """The bundled code of a wheel, in CycloneDX."""
    components = []
    for file in sorted(STATIC.glob("*.min.js")):
        data = file.read_bytes()
        marked = re.search(rb'version="([0-9.]+)"', data)
        hashes = [{"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()}]
        name = file.name.partition(".")[0]
        components.append(
            component(name, marked[1].decode() if marked else "0", "npm", "MIT", hashes=hashes)
        )
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component("whatsrelated", version, "pypi", "Apache-2.0")},
        "components": components,
    }


class Wheel(bdist_wheel):
    """A wheel with its bill of materials beside its metadata."""

    def egg2dist(self, egginfo_path: str, distinfo_path: str) -> None:
        super().egg2dist(egginfo_path, distinfo_path)
        folder = Path(distinfo_path, "sboms")
        folder.mkdir(exist_ok=True)
        bill = bill_of_materials(self.distribution.get_version())
        (folder / "whatsrelated.cdx.json").write_text(json.dumps(bill, indent=1) + "\n")


kernels = [
    extension(path, depends=INCLUDED, extra_compile_args=["-O3" if path.stem in GAIN else "-O2"])
    for path in sorted(FOLDER.glob("*/_*.pyx"))
]
setup(
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {},
    ext_modules=[extension(FOLDER / "shared" / "_cython.c", extra_compile_args=["-O1"]), *kernels],
    cmdclass={"bdist_wheel": Wheel},
)
