"""Signal spaces: what is known of notes beside their text."""
