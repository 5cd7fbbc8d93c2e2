"""Attention on this machine's GPU: correctness at awkward sizes, then TFLOP/s. Needs a GPU.

    python -m bench.attention_variants OUT [--only NAME]...

The race of `bench.attention_race` by `bench.gemm_variants`: a process with a deadline each.
"""

from __future__ import annotations

import sys

from bench.gemm_variants import main

if __name__ == "__main__":
    sys.argv[2:2] = ["--race", "bench.attention_race", "--limit-s", "50"]
    main()
