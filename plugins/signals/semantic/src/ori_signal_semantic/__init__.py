"""The signal `semantic`: which notes mean what a question means."""
