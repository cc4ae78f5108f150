"""Formats in which programs hand graphs to each other, one file each."""
