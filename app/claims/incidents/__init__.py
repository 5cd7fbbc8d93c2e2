"""Incidents of the material, one file each: what happened, and the cells that replay it here."""
