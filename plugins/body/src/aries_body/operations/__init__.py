"""What can be asked about a project, as one class whose methods are the operations."""
