"""Texts for the model."""
