"""Lists of pages that people and sites keep: sitemaps, bookmarks, subscriptions.

Whoever puts two pages into one folder says that they belong together: a folder is
a page that links to what is in it, in order.
"""
