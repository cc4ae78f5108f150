"""Web archives: WARC, ARC, WACZ and WAT, from one file or thousands.

`records` finds the records of a file, even if it is compressed or damaged. `http` parses a
response. `captures` classifies a record as a page, redirect or revisit. `wat` reads extracted
links. `splits` cuts files into ranges that workers read in parallel. `capture_set` decides which
capture of a page counts. `reader` combines them.
"""
