"""Sample data: small, invented, reproducible, with a truth that is known because it was planted."""

from data.sample.generate import FILE_NAME, sample_csv, write_sample
from data.sample.loading import has_sample, load_sample, remove_sample
from data.sample.truth import (
    BENCHMARK,
    CANDIDATE,
    DEFAULT_SEED,
    INCUMBENT,
    LEAKED,
    LOST_DOMAIN,
    UNPRICED,
    SampleTruth,
    sample_truth,
)

__all__ = [
    "BENCHMARK",
    "CANDIDATE",
    "DEFAULT_SEED",
    "FILE_NAME",
    "INCUMBENT",
    "LEAKED",
    "LOST_DOMAIN",
    "UNPRICED",
    "SampleTruth",
    "has_sample",
    "load_sample",
    "remove_sample",
    "sample_csv",
    "sample_truth",
    "write_sample",
]
