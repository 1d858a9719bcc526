"""Which contender people or judges prefer, from pairwise votes."""

from analysis.votes.board import votes
from analysis.votes.counts import VoteCounts

__all__ = ["VoteCounts", "votes"]
