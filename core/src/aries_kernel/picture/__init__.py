"""A graph as one HTML page that one can zoom and search, without network and without libraries."""
