"""The connectivity server: the graph on disk and in memory, and the code that builds it."""

from whatsrelated.graph.store import Store

__all__ = ["Store"]
