"""Following imports and exports from a use of a name to its definition, in every language the same way."""
