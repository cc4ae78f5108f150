"""Wikis on MediaWiki: their dumps in XML and SQL, and what their wikitext means."""
