"""What the files of a project say, kept up to date and cached on the disk."""
