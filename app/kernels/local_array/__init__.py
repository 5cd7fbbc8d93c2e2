"""Sixteen values a thread, sorted in an array that the thread owns."""
