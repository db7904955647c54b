; Asked only of files that could not be parsed as a whole.
[(ERROR) (MISSING)] @error
