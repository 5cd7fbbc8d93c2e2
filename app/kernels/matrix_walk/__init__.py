"""Row-major and column-major walks over one matrix."""
