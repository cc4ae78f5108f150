"""The names of pages: one spelling for each, their order, and the look-up of what people type."""
