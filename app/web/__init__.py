"""Pages, REST interface and charts over the services."""
