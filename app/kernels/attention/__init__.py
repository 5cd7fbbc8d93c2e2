"""Attention of one layer: softmax(Q·Kᵀ/√d)·V, head by head, forward only."""
