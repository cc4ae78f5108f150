"""Names of pages: their canonical form, their order, and the look-up of what users type."""
