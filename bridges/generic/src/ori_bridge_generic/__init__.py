"""Bridge of ori: any client of the Model Context Protocol."""
