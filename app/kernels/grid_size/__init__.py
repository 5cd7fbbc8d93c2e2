"""Every element doubled, by few blocks or by many."""
