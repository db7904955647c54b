"""The server: the library's operations as tools of the Model Context Protocol."""
