"""What lanes of a warp cost each other in the banks of shared memory."""
