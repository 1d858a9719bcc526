"""Which contenders differ on a benchmark, and by how much."""
