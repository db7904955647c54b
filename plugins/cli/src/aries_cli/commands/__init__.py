"""The commands of aries; each is found through its entry point."""
