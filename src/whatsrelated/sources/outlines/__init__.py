"""Lists of pages kept by people and sites: sitemaps, bookmarks, subscriptions.

Pages in one folder belong together: a folder becomes a page that links to its contents,
in order.
"""
