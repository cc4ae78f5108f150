"""Lists of pages that people and sites keep: sitemaps, bookmarks, subscriptions.

Pages in the same folder belong together, so each folder becomes a page that links to its contents
in order.
"""
