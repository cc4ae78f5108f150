"""A polite crawler for your own site, a wiki or a list of sites.

`plan` holds the options. `scope` decides which URLs belong to a crawl, and `network` which machines
it may reach. `robots` and `sitemaps` read the files that sites publish for crawlers. `fetching`
makes one request. `frontier` keeps the state in an SQLite file, and `warc_writer` keeps the
responses. `crawler` is the loop.
"""
