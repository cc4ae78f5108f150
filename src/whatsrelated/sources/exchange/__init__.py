"""Graph exchange formats, one file each."""
