"""Suggested fixes for a site's owner: missing or broken links, and pages that are hard to find."""
