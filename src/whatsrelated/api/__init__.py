"""The public Graph, and functions to open and build one."""

from whatsrelated.api.building import build
from whatsrelated.api.graph import Graph, open

__all__ = ["Graph", "build", "open"]
