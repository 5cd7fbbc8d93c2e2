"""Elements of eight kinds, each with a branch of its own."""
