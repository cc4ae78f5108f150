"""A fuzzer in plain Python, with a corpus that is kept in the tree.

    python -m tests.fuzz --seconds 60 --only readers

`corpus/` holds small seeds: for a reader, the files in `readers/NAME/`; a graph for
the store; for HTTP, requests, one on each line.  Seeds are files like any others:
write one by hand, or let `make_corpus` write those that are not text.

A case is a seed, mutated by its name and the number of a round: the same two give
the same case, whatever other seeds there are.  Cases run in forks, and a fault is
a signal, a traceback, a query that does not end, or, over HTTP, status 500.
"""
