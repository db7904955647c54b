"""The command `aries`."""
