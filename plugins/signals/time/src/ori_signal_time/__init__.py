"""Signal time: notes of the days that a question names."""
