"""What each `roofladder` command does; `app.cli` only reads the command line."""
