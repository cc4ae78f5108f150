"""Kernels that answer queries: one per method, plus those that several methods share."""
