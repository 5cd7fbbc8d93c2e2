"""Schema history of the results database, run by Alembic."""
