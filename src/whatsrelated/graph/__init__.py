"""The connectivity server: the graph on disk and in memory, and how it is built."""

from whatsrelated.graph.store import Store

__all__ = ["Store"]
