"""y = 2x on the CPU, with stages that go wrong in every way a stage can."""
