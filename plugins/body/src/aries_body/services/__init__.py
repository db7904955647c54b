"""What the host does when user code asks for it."""
