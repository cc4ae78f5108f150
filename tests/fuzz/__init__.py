"""A fuzzer in plain Python, with a corpus that is kept in the tree.

    python -m tests.fuzz --seconds 60 --only readers

`corpus/` holds small seeds for every reader, for the store and for the
parameters of HTTP.  A case is a seed, mutated by a number: the same number gives
the same case.  Cases run in forks, and a fault is a signal, a traceback, a
question that does not end, or, over HTTP, status 500.
"""
