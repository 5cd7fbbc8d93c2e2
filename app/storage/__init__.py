"""Keeping runs, jobs and devices; returns domain types, never table objects."""
