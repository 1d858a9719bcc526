"""Pinned evidence, the decision record, its exports, and their check."""
