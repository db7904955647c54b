"""Questions that one note does not answer: what was found is followed along links and asked about again."""
