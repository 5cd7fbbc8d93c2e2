"""Cost of one launch from the tile shapes of a stage: that of `matmul`, since only B's layout differs."""

from __future__ import annotations

from app.kernels.matmul.cost import WHOLE, CostOfSize, library_cost, tiled_cost

__all__ = ["WHOLE", "CostOfSize", "library_cost", "tiled_cost"]
