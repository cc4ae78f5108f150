"""The public Graph, and how one is opened and built."""

from whatsrelated.api.building import build
from whatsrelated.api.graph import Graph, open

__all__ = ["Graph", "build", "open"]
