"""Related pages for every page of a graph, in parts on disk, and what changed between two such."""
