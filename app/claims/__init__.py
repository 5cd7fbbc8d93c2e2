"""Published figures and statements, each with the rule that judges it by what a device did."""
