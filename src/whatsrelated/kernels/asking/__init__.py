"""Kernels that answer a query: one per method, and what methods share."""
