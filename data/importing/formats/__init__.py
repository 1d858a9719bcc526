"""One module a file format: what it looks like, and how its rows become a table of text."""
