"""A plain twin of each compiled module: the oracle of the tests, and the fallback."""
