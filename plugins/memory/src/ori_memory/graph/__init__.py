"""Figures from a vault's own links: rank, structure, communities, vitality, activation, and the graph as a page."""
