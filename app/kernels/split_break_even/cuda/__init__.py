"""The kernel of matmul's `split_k`, launched with as many slices as the size says."""
