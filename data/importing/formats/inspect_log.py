"""An Inspect log as header and samples, from a ``.json`` document or an ``.eval`` archive of any age.

An archive holds ``header.json`` (or only ``_journal/start.json`` when the run never ended), one member a
sample (``samples/<id>_epoch_<n>.json``, or since 2026 a folder with ``sample.json``) and ``summaries.json``.
The summaries hold all that is needed except the number of turns in older logs and marks of invalid samples;
they are used when they are complete, because the transcripts of a large log take minutes to unpack.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.errors import InputError
from data.importing.formats.inspect_archive import Archive
from data.importing.formats.inspect_document import members, parse
from data.importing.formats.inspect_sample import Sample, read_sample
from data.importing.formats.inspect_text import clean

HEADER = "header.json"
START = "_journal/start.json"
SUMMARIES = "summaries.json"
SCHEMA_VERSION = 2
SAMPLE_COUNT = 2_000_000
_WHOLE = re.compile(r"samples/.+_epoch_\d+\.json", re.DOTALL)
_FOLDER = re.compile(r"(samples/.+_epoch_\d+/)sample\.json", re.DOTALL)
_JOURNAL = re.compile(r"_journal/summaries/(\d{1,9})\.json")


@dataclass(frozen=True)
class Log:
    """What a log says. ``unreadable``: samples without an id; ``repeated``: those written more than once."""

    header: Mapping[str, Any]
    samples: tuple[Sample, ...]
    unreadable: int
    repeated: int

    @property
    def spec(self) -> Mapping[str, Any]:
        """The ``eval`` block."""
        spec: Mapping[str, Any] = self.header["eval"]
        return spec

    @property
    def status(self) -> str:
        """``success``, ``cancelled``, ``error`` or ``started`` (the run never ended)."""
        return clean(self.header.get("status") or "started")

    @property
    def newer_schema(self) -> str:
        """The log's schema number where it is newer than the newest known one; else ""."""
        version = self.header.get("version", SCHEMA_VERSION)
        return "" if isinstance(version, int) and version <= SCHEMA_VERSION else clean(version)[:20]

    @property
    def version(self) -> str:
        """The version of inspect_ai that wrote the log; "" where it does not say."""
        packages = self.spec.get("packages")
        return clean(packages.get("inspect_ai") or "") if isinstance(packages, dict) else ""

    @property
    def planned(self) -> int | None:
        """Samples times epochs that the run set out to finish; None where the log does not say."""
        results = self.header.get("results")
        if (
            isinstance(results, dict)
            and isinstance(results.get("total_samples"), int)
            and results["total_samples"]
        ):
            return int(results["total_samples"])
        dataset, config = self.spec.get("dataset"), self.spec.get("config")
        chosen = dataset.get("sample_ids") if isinstance(dataset, dict) else None
        epochs = config.get("epochs") if isinstance(config, dict) else None
        if not isinstance(chosen, list) or not chosen:
            return None
        return len(chosen) * (epochs if isinstance(epochs, int) and epochs > 0 else 1)


def looks_like_header(value: Mapping[str, Any]) -> bool:
    """Whether an object's leading members are those of an Inspect log."""
    spec = value.get("eval")
    marks = {"status", "version", "plan", "results", "stats", "samples"} & value.keys()
    return isinstance(spec, dict) and "task" in spec and "model" in spec and bool(marks)


def is_log_archive(names: Iterable[str]) -> bool:
    """Whether an archive has the members of an Inspect log."""
    found = set(names)
    beside = any(name == SUMMARIES or name.startswith(("samples/", "_journal/")) for name in found)
    return START in found or (HEADER in found and beside)


def read_document(path: Path, name: str, paths: Sequence[str] = ()) -> Log:
    """Read a ``.json`` log; ``paths`` as in :func:`read_sample`.

    Raises:
        InputError: not a log, cut off or damaged.
    """
    header: dict[str, Any] = {}
    collected = _Collected(paths, name)
    with path.open("rb") as stream:
        for key, value in members(stream, name, "samples"):
            if key == "samples":
                collected.add(value)
            elif key != "reductions":
                header[clean(key)] = value
    return collected.log(_checked(header, name))


def read_archive(path: Path, name: str, paths: Sequence[str] = ()) -> Log:
    """Read an ``.eval`` log; ``paths`` as in :func:`read_sample`.

    Raises:
        InputError: not a log, cut off, damaged or too large.
    """
    with Archive(path, name) as archive:
        member = HEADER if HEADER in archive else START
        if member not in archive:
            raise InputError(f"{name}: the archive has no {HEADER}; give an Inspect log (.eval)")
        header = _checked(parse(archive.read(member), name, member), name)
        collected = _Collected(paths, name)
        written = [entry for entry in archive.names if _WHOLE.fullmatch(entry) or _FOLDER.fullmatch(entry)]
        summaries = _summaries(archive, name)
        # Summaries leave out large metadata, so a path that a person names is looked up in the samples.
        if not written or (not paths and _suffices(summaries, len(written), header)):
            for summary in summaries:
                collected.add(summary)
        else:
            for entry in written:
                collected.add(_member(archive, entry, name))
        return collected.log(header)


def _checked(header: Any, name: str) -> dict[str, Any]:
    if not isinstance(header, dict) or not looks_like_header(header):
        raise InputError(f"{name}: no eval block with a task and a model; give a log written by Inspect")
    return header


def _summaries(archive: Archive, name: str) -> list[dict[str, Any]]:
    if SUMMARIES in archive:
        entries = [SUMMARIES]
    else:
        numbered = ((match, entry) for entry in archive.names if (match := _JOURNAL.fullmatch(entry)))
        entries = [entry for _, entry in sorted((int(match[1]), entry) for match, entry in numbered)]
    found: dict[tuple[str, Any], dict[str, Any]] = {}
    for entry in entries:
        listed = parse(archive.read(entry), name, entry)
        for summary in listed if isinstance(listed, list) else ():
            if isinstance(summary, dict):
                found[(repr(summary.get("id")), repr(summary.get("epoch")))] = summary
    return list(found.values())


def _suffices(summaries: Sequence[Mapping[str, Any]], written: int, header: Mapping[str, Any]) -> bool:
    return (
        len(summaries) == written
        and not header.get("invalidated")
        and all(
            summary.get("turn_count") is not None and isinstance(summary.get("model_usage"), dict)
            for summary in summaries
        )
    )


def _member(archive: Archive, entry: str, name: str) -> Any:
    record = parse(archive.read(entry), name, "a sample")
    folder = _FOLDER.fullmatch(entry)
    if folder and isinstance(record, dict) and f"{folder[1]}metadata.json" in archive:
        record["metadata"] = parse(archive.read(f"{folder[1]}metadata.json"), name, "a sample's metadata")
    return record


class _Collected:
    """Samples by id and epoch; one written again replaces the earlier one, as in Inspect."""

    def __init__(self, paths: Sequence[str], name: str) -> None:
        self._paths = paths
        self._name = name
        self._samples: dict[tuple[str, int], Sample] = {}
        self._unreadable = 0
        self._repeated = 0

    def add(self, record: Any) -> None:
        if record is None:
            return
        sample = read_sample(record, self._paths) if isinstance(record, dict) else None
        if sample is None:
            self._unreadable += 1
            return
        key = (sample.sample_id, sample.epoch)
        self._repeated += key in self._samples
        self._samples[key] = sample
        if len(self._samples) > SAMPLE_COUNT:
            raise InputError(f"{self._name}: the log has more than {SAMPLE_COUNT:,} samples; split it")

    def log(self, header: Mapping[str, Any]) -> Log:
        return Log(header, tuple(self._ordered()), self._unreadable, self._repeated)

    def _ordered(self) -> Iterator[Sample]:
        for key in sorted(self._samples, key=lambda key: (key[1], key[0].zfill(20))):
            yield self._samples[key]
