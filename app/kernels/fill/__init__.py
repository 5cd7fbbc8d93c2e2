"""Memory that is only written: the micro-benchmark behind the roof of writing."""
