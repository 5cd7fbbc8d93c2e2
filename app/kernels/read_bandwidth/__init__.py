"""Bandwidth of reading a working set over and over from all SMs."""
