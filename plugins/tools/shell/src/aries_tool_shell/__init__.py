"""The tool Bash."""
