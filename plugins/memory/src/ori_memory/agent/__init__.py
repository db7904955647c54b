"""What aries finds of the memory: operations for code, and a tool that keeps a note."""
