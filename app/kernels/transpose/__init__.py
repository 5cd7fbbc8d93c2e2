"""Transpose: a matrix move in which one side would be strided."""
