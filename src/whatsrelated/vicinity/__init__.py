"""The neighbourhood of a page, which every method reads before it scores."""
