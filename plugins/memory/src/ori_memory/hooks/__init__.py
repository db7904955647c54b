"""What clients run by themselves: at the start of a session, after a write, at the end."""
