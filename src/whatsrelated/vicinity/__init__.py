"""The neighbourhood of a page: what every method reads before it scores."""
