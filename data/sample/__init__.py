"""Sample data: small, invented, reproducible, with a truth that is known because it was planted."""
