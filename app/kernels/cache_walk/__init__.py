"""One array read eight times over, in two orders."""
