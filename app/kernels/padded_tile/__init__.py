"""Tiles of three sizes in shared memory, padded and not."""
