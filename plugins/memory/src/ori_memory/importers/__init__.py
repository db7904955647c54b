"""Importers that come with ori: what other programs kept, as notes."""
