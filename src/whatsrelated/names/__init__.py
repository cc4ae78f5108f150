"""Names of pages: their canonical form, their sort order, and looking up what users type."""
