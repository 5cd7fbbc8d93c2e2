"""Scripts around the product: set-up and vendoring; nothing here is imported by it."""
