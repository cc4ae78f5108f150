"""The kernel of the ranks: one sweep over all links."""
