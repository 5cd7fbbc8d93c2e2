"""Decode GEMV: one token against a weight matrix."""
