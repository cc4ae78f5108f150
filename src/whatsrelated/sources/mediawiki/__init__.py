"""MediaWiki wikis: read their XML and SQL dumps, and interpret their wikitext."""
