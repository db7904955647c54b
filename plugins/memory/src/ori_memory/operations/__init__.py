"""What can be done with a vault; the commands are thin faces over these."""
