"""ZIM files, as Kiwix reads them: a website in one file."""
