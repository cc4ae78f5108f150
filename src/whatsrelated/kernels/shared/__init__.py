"""What all kernels share: the links of a graph, limits, hash tables, memory."""
