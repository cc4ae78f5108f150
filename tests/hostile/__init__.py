"""What somebody hostile, or a failing machine, may do: nothing gets in and nothing is lost.

Everything is asked from outside, by the command, over HTTP, through the public
Python API or with crafted files, so that these tests say what is promised
(SECURITY.md) and not how it is kept.

- `processes`: commands and servers as processes, held to so much memory and time;
- `forkserver`: hundreds of commands, each in a fork that may crash;
- `graphs`: graphs whose questions are expensive, and graphs with crafted bytes;
- `damage`: seeded damages to a graph, and every verb asked of what is left.
"""
