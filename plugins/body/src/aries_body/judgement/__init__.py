"""What code looks like beside other code: duplicates, likeness, conventions, and where something belongs."""
