"""Kernels that build a graph: sort keys, names, link sorting and merging, checksums."""
