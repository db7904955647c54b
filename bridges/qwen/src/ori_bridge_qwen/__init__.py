"""Bridge of ori: Qwen Code."""
