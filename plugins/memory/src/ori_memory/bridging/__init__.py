"""What bridges share: editing the files of clients so that nothing else in them changes, and doing it whole."""
