"""Rust for the code graph of aries."""
