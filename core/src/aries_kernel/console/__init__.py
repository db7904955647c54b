"""What the commands aries and ori have in common: streams, commands by entry point, errors as a line and a code."""
