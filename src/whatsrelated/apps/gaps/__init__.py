"""What a site's owner should fix: missing or broken links, and pages that are hard to find."""
