"""What language packs share: parsing, outlines, and the scopes that names live in."""
