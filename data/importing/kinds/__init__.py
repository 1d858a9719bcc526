"""One module a kind of data: its fields, what a valid row is, and the table it fills."""
