"""The command `aries graph`."""
