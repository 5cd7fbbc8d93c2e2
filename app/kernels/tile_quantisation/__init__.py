"""C = A B in one fixed tile over more and more rows: what whole tiles and whole waves cost."""
