"""The command `dagpart`."""
