"""Kernels that build a graph: sort keys, names, sorted and merged links, checksums."""
