"""Plays a scripted transcript instead of asking a model."""
