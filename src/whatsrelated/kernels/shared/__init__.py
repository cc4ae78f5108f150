"""Code shared by all kernels: the links of a graph, limits, hash tables, memory."""
