"""The signal `keyword`: which notes hold the words of a question."""
