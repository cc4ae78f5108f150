"""Unlinked mentions: where a missing link goes, and the edit that adds it."""
