"""Ranked retrieval: a question understood, signals fused, stages applied, an answer that says what it did."""
