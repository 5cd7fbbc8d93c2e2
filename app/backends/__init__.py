"""The machines that run stages, and the loop that measures on them."""
