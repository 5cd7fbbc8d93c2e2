"""Strided reads: what a warp asks for against what memory moves."""
