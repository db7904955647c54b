"""Stage crossencoder: a model reads the question beside each of the best notes."""
