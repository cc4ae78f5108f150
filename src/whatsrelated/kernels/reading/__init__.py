"""Kernels that read text: lines of links and names, wikitext, URLs, BVGraph."""
