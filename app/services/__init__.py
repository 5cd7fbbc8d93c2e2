"""One use case a file: what pages and the REST interface both call."""
