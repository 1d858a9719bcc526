"""Which contenders differ on a benchmark, and by how much."""

from analysis.leaderboard.board import SEED, leaderboard
from analysis.leaderboard.reliability import consistency, reliability

__all__ = ["SEED", "consistency", "leaderboard", "reliability"]
