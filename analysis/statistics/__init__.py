"""Statistics that questions share and that know no question."""
