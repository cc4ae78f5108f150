"""Kernels that answer queries: one per method, and those that methods share."""
