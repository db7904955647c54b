"""Notes that answer a question together with one that was found."""
