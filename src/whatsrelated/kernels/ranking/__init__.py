"""The kernel behind the ranks: one sweep over all links."""
