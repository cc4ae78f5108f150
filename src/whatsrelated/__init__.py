"""Given a page, the related pages, from the link structure alone."""
