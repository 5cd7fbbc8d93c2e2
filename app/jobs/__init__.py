"""Jobs: DBOS keeps them through crashes; here is how they are submitted, run, cancelled and recovered."""
