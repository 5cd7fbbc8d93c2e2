"""One command that keeps the web service and its worker alive together on one data folder."""
