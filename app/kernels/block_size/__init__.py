"""One streaming kernel at six block sizes."""
