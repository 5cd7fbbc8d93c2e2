"""Reads that begin between sector borders."""
