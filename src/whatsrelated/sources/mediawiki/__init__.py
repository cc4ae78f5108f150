"""MediaWiki wikis: their dumps in XML and SQL, and the meaning of their wikitext."""
