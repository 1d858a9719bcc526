"""The store and everything that goes into it or comes out of it. The only layer that imports duckdb."""
