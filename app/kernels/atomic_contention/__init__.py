"""A histogram of sixteen bins, counted by atomics."""
