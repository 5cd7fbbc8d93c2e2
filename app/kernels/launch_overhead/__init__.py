"""A line applied to every element, in one launch or in hundreds."""
