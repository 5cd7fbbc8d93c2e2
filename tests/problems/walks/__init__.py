"""An experiment with CPU stages: what a suite measures where there is no GPU."""
