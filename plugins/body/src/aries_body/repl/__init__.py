"""What user code finds in the body: names, execution, what survives a restart."""
