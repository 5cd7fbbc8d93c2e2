"""Reading Nsight Compute reports."""
