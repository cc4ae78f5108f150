"""Lists of pages that people and sites keep: sitemaps, bookmarks, subscriptions.

Pages in one folder belong together, so a folder becomes a page that links to its contents in order.
"""
