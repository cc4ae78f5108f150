"""Related pages for every page of a graph, written in parts, and differences of two outputs."""
