"""Measure how well methods find pages that are known to be related."""
