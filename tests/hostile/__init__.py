"""Attacks and failing machines: nothing gets in and nothing is lost.

Everything is tested from outside: by the command, over HTTP, through the public
Python API or with crafted files.  So these tests state what SECURITY.md promises,
not how it is implemented.

- `processes`: commands and servers as processes, with limited memory and time;
- `forkserver`: hundreds of commands, each in a fork that may crash;
- `graphs`: graphs with expensive queries, and graphs with crafted bytes;
- `damage`: seeded damage to a graph, and every verb run on the result.
"""
