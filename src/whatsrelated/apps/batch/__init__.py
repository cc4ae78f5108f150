"""Compute related pages for every page of a graph in parts, and compare two outputs."""
