"""The five papers again, on the data we have: every table, figure and claim, beside the paper's.

    python -m benchmarks.papers [DATA] [--parts dh99,hz03,...] [--update]

DATA is the folder of public link graphs, `../shared/data` or `$RELATED_SHARED/data` by default;
without it, the parts that need it are listed and skipped.  The parts of a paper print their tables
into one report, build/papers.md, and are compared with docs/reports/reproduction.md.  The other
parts run the longer scripts, and compare every row they print with the page that has it.  Times
and memory differ from run to run and are not compared.  The exit status is 1 if a page has other
figures than were printed; `--update` writes those of the papers into the report's page.
"""
