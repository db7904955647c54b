"""The vault: where it is, what marks it, how it is made, how it is configured."""
