"""ZIM files, Kiwix's format for a website in one file."""
