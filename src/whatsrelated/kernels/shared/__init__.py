"""What kernels of every purpose use: the links of a graph, limits, hash tables, memory."""
