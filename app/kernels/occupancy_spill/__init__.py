"""Occupancy forced by a cap on registers, and what spilling costs."""
