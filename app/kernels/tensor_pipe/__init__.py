"""C = A·B of halves, summed in float32."""
