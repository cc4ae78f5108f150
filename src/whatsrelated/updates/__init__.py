"""Graphs that live: changes without a rebuild, and what has changed."""
