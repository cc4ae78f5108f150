"""A polite crawler for one's own site, wiki or a list of sites.

`plan` holds what the user asked for; `scope` says which addresses belong to a crawl;
`network` which machines may be reached; `robots` and `sitemaps` what sites say of
themselves; `fetching` makes one request; `frontier` keeps the state in one SQLite file,
`warc_writer` what was fetched; `crawler` is the loop.
"""
