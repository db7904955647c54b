"""Passages of notes and their vectors: cut, embedded in the background, kept, read without parsing."""
