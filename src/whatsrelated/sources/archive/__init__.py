"""Web archives: WARC, ARC, WACZ and WAT, from one file or thousands.

`records` finds the records of a file, however it is packed or damaged; `http` takes
a response apart; `captures` says what a record is: a page, a redirect, a repetition;
`wat` reads extracted links; `splits` cuts files into ranges that workers read side by
side; `capture_set` decides which capture of a page counts; `reader` joins them.
"""
