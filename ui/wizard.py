"""From an uploaded file to an import: what the person said about it, and what would come of it.

Everything a person chooses lives in keyed widgets, one set a file; this module reads them, asks the import
what it would do, and says what is still needed. Nothing is stored until the import itself.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import streamlit as st

from data.errors import InputError
from data.importing import (
    BatchReport,
    ImportOptions,
    Preview,
    canonical_fields,
    check_file,
    import_files,
    kinds,
    suggest_mapping,
)
from data.importing.mapping import EXACT, NATIVE, REMEMBERED
from data.importing.wide import A_MODEL
from data.store import Store
from ui.messages import without_flags
from ui.uploads import Upload

RECOGNISED = "recognised"
WIDE = "wide"
LEAVE_OUT = "Leave out"
#: Fields one value can stand for where a file has no column of them.
_FILLABLE = ("benchmark", "model")
_CHECKS = "checked_files"
#: Checks kept for one session; a file has two or three while a person maps it.
_CHECKS_KEPT = 24


@dataclass(frozen=True)
class Checked:
    """One upload as it stands: recognised (``base``), with the person's word (``preview``), or why not."""

    upload: Upload
    read_as: str
    base: Preview | None
    preview: Preview | None
    options: ImportOptions
    fill: tuple[str, ...]  # fields that one value has to stand for
    error: str = ""

    @property
    def needs(self) -> tuple[str, ...]:
        """What the person still has to say, in words."""
        if self.preview is None:
            return ("a readable file",)
        return (*self.preview.missing, *(("a time zone",) if self.preview.needs else ()))

    @property
    def ready(self) -> bool:
        """Whether pressing Import can succeed."""
        counts = None if self.preview is None else self.preview.counts
        return not self.error and not self.needs and counts is not None and counts.loaded > 0


def key(upload: Upload, name: str) -> str:
    """The session key of one choice about one file."""
    return f"{name}_{re.sub(r'[^A-Za-z0-9]', '', upload.id)}"


def read_as_options() -> dict[str, str]:
    """What a file can be read as: value and words."""
    named = {kind.name: kind.title for kind in kinds() if kind.supported}
    return {RECOGNISED: "As recognised", **named, WIDE: "Eval results, one column a model"}


def check(store: Store, upload: Upload) -> Checked:
    """Recognise and dry-run one upload with everything the person has said about it so far."""
    read_as = st.session_state.get(key(upload, "read_as"), RECOGNISED)
    asked = _asked(read_as)
    try:
        base = _recognise(store, upload, asked)
    except InputError as error:
        return Checked(upload, read_as, None, None, asked, (), without_flags(str(error)))
    fill = tuple(field for field in base.missing if field in _FILLABLE)
    options = ImportOptions(
        kind=base.kind if not is_native(base) else asked.kind,
        format=WIDE if base.format == WIDE else asked.format,
        mapping=_mapping(upload, base),
        constants=_constants(upload, base, fill),
        timezone=st.session_state.get(key(upload, "zone")),
        repeat=st.session_state.get(key(upload, "repeat")),
    )
    try:
        preview = _check(store, upload, options)
    except InputError as error:
        return Checked(upload, read_as, base, None, options, fill, without_flags(str(error)))
    return Checked(upload, read_as, base, preview, options, fill)


def _asked(read_as: str) -> ImportOptions:
    if read_as == WIDE:
        return ImportOptions(format=WIDE)
    return ImportOptions(kind=None if read_as == RECOGNISED else read_as)


def _recognise(store: Store, upload: Upload, asked: ImportOptions) -> Preview:
    """What the content says; where only one value for all rows is missing, the kind that lacks nothing else.

    Raises:
        InputError: the file cannot be read, or is of no kind even with such a value.
    """
    try:
        return _check(store, upload, asked)
    except InputError:
        if asked.kind is not None:
            raise
        for kind in (kind.name for kind in kinds() if kind.supported):
            try:
                found = _check(store, upload, replace(asked, kind=kind))
            except InputError:
                continue
            if set(found.missing) <= set(_FILLABLE):
                return found
        raise


def _check(store: Store, upload: Upload, options: ImportOptions) -> Preview:
    kept: dict[Any, Preview | InputError] = st.session_state.setdefault(_CHECKS, {})
    # A dry run hangs on the file, the options and the mappings remembered by earlier imports.
    mark = (upload.id, repr(options), store.revision)
    if mark not in kept:
        while len(kept) >= _CHECKS_KEPT:
            kept.pop(next(iter(kept)))
        try:
            kept[mark] = check_file(store, upload.path, options, upload.name)
        except InputError as error:
            kept[mark] = error
    found = kept[mark]
    if isinstance(found, InputError):
        raise InputError(str(found))
    return found


def is_native(preview: Preview) -> bool:
    """Whether the format says what every column means, so that there is nothing to map."""
    return not preview.columns or all(use.why == NATIVE for use in preview.columns)


def is_remembered(preview: Preview) -> bool:
    """Whether the file is read like an earlier one with these columns."""
    return any(use.why == REMEMBERED for use in preview.columns) or any(
        warning.startswith("read as the last file") for warning in preview.warnings
    )


def field_titles(kind: str) -> dict[str, str]:
    """Field by the words a person chooses it by."""
    return {field.title: field.name for field in canonical_fields(kind)}


def mapping_rows(base: Preview) -> list[dict[str, str]]:
    """The mapping table as it is first shown: one row a column of the file that is no model."""
    titles = {name: title for title, name in field_titles(base.kind).items()}
    start = suggest_mapping(base)
    return [
        {
            "Column in file": use.header,
            "First value": use.values[0] if use.values else "",
            "Becomes": titles.get(_started(use.header, start), LEAVE_OUT),
            "Why": use.why,
        }
        for use in base.columns
        if use.why != A_MODEL
    ]


def _started(header: str, start: Mapping[str, str]) -> str:
    return next((field for field, column in start.items() if column == header), "")


def edits(upload: Upload, base: Preview) -> dict[int, str]:
    """Row and new word of every change in the mapping table."""
    state = st.session_state.get(editor_key(upload, base)) or {}
    changed = state.get("edited_rows", {})
    return {int(row): cells["Becomes"] for row, cells in changed.items() if cells.get("Becomes")}


def editor_key(upload: Upload, base: Preview) -> str:
    """The mapping table's key; another reading of the file starts another table."""
    return key(upload, f"map_{base.kind}_{base.format}")


def _mapping(upload: Upload, base: Preview) -> dict[str, str]:
    """Field to header. Empty where nothing was said and an earlier file or the format decides."""
    changed = edits(upload, base)
    if is_native(base) or (is_remembered(base) and not changed):
        return {}
    rows, titles = mapping_rows(base), field_titles(base.kind)
    chosen: dict[str, str] = {}
    for at, row in enumerate(rows):
        field = titles.get(changed.get(at, row["Becomes"]))
        if field is None:
            continue
        if field in chosen and at not in changed:
            continue
        chosen[field] = row["Column in file"]
    return chosen


def stubborn(checked: Checked) -> tuple[str, ...]:
    """Why columns that were left out still count, one sentence each."""
    if checked.base is None or checked.preview is None:
        return ()
    rows = mapping_rows(checked.base)
    changed = edits(checked.upload, checked.base)
    left = {rows[at]["Column in file"] for at, word in changed.items() if word == LEAVE_OUT}
    return tuple(
        f"{use.header} is a field's own name and maps itself; rename it in the file to leave it out."
        if use.why == EXACT
        else f"{use.header} still becomes {use.field}: the rows need one, and no other column can be it."
        for use in checked.preview.columns
        if use.header in left and use.field is not None
    )


def _constants(upload: Upload, base: Preview, fill: Sequence[str]) -> dict[str, str]:
    said = {
        field: st.session_state.get(key(upload, f"set_{field}"), guess(field, upload, base)) for field in fill
    }
    if wants_currency(base, _mapping(upload, base)):
        said["currency"] = st.session_state.get(key(upload, "set_currency"), guess("currency", upload, base))
    return {field: value.strip() for field, value in said.items() if value and value.strip()}


def wants_currency(base: Preview, mapping: Mapping[str, str]) -> bool:
    """Whether the file has costs and no column says in which currency."""
    return base.kind == "evals" and "cost" in mapping and "currency" not in mapping


def guess(field: str, upload: Upload, base: Preview) -> str:
    """A first value for all rows, to be checked: a benchmark by the file's name, dollars by a header."""
    if field == "currency":
        return "USD" if any(re.search(r"(usd|dollar)", use.header.lower()) for use in base.columns) else ""
    return Path(upload.name).name.split(".")[0].strip() if field == "benchmark" else ""


def run_import(store: Store, files: Sequence[Checked]) -> list[BatchReport]:
    """Import the files: those with the same options in one transaction, in the order they were dropped.

    Raises:
        RepeatNeededError: results of a contender are loaded; the person has to say add or replace.
        InputError: a file cannot be imported; nothing of its transaction is stored.
    """
    groups: list[tuple[ImportOptions, list[Upload]]] = []
    for checked in files:
        known = next((uploads for options, uploads in groups if options == checked.options), None)
        if known is None:
            groups.append((checked.options, [checked.upload]))
        else:
            known.append(checked.upload)
    reports: list[BatchReport] = []
    for options, uploads in groups:
        paths = [upload.path for upload in uploads]
        reports += import_files(store, paths, options, [upload.name for upload in uploads])
    return reports


def forget() -> None:
    """Drop what was checked; called when the uploader is emptied."""
    st.session_state.pop(_CHECKS, None)
