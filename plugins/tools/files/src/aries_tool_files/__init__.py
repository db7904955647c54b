"""The tools Read, Write, Edit, Glob and Grep."""
