"""y = 2x on a GPU, with stages that fault, compile badly or are wrong."""
