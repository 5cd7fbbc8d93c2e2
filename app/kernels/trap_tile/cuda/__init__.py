"""A trap of the product; see problem.py."""
