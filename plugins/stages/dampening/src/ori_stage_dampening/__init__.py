"""Stages gravity, hub and resolution: what is only near the question steps back."""
