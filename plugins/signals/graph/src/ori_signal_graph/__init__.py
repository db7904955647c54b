"""The signal `graph`: what the notes that were found lead to."""
