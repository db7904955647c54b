"""A note: its bytes, its frontmatter, its name, what is code in it, and what it says."""
