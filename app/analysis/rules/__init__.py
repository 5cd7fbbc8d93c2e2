"""Diagnosis rules, one file a rule; found by looking at this folder."""
