"""Scripts that measure by hand, on the machine they are about."""
