"""The repository as a graph that code can ask."""
