"""What the Data page draws while a file is on its way in: track, recognition, mapping, check, import."""

from collections.abc import Sequence
from zoneinfo import available_timezones

import pandas as pd
import streamlit as st

from analysis import wording
from analysis.results import Finding
from data.importing import Preview, kinds
from data.importing.rejects import REJECT_COLUMNS, rejected_rows
from data.importing.wide import A_MODEL
from data.sources import SourceFile
from data.store import Store
from ui import components, downloads, show, uploads, wizard
from ui.components import Cell, Figure, Step
from ui.messages import without_flags
from ui.uploads import Upload
from ui.wizard import Checked

#: Zones people mean most; the rest follow by name.
_FIRST_ZONES = (
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "America/New_York",
    "America/Los_Angeles",
    "Asia/Tokyo",
)
_REPEATS = {"add": "Add to them as more runs", "replace": "Replace them"}


def size(count: int) -> str:
    """Bytes as people read them."""
    for unit, name in ((1 << 20, "MB"), (1 << 10, "kB")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count} bytes"


def track(files: Sequence[Checked], current: Checked | None) -> None:
    """Where the file stands on its way in."""
    if current is None:
        states = [
            "a file or several",
            "by their content",
            "you decide",
            "nothing is stored yet",
            "all or nothing",
        ]
        stages = ["now", "later", "later", "later", "later"]
    else:
        states = [
            f"{current.upload.name}, {size(current.upload.size_bytes)}"
            if len(files) == 1
            else wording.plural(len(files), "file"),
            current.base.kind_title if current.base else "not recognised",
            _mapped(current),
            _counted(current),
            "all or nothing",
        ]
        stages = _stages(current)
    names = ("Upload", "Recognise", "Map columns", "Check", "Import")
    steps = [Step(name, state, stage) for name, state, stage in zip(names, states, stages, strict=True)]
    show.html(components.track(steps, "Steps of an import"))


def _stages(current: Checked) -> list[str]:
    if current.base is None:
        return ["done", "now", "later", "later", "later"]
    if current.preview is None or current.needs or current.error:
        return ["done", "done", "now", "later", "later"]
    return ["done", "done", "done", "done" if current.ready else "now", "now" if current.ready else "later"]


def _mapped(current: Checked) -> str:
    if current.base is None:
        return "waits"
    if wizard.is_native(current.base):
        return "part of the format"
    needs = len(current.needs)
    return f"{needs} {'needs' if needs == 1 else 'need'} you" if needs else "nothing is missing"


def _counted(current: Checked) -> str:
    counts = current.preview.counts if current.preview else None
    return f"{wording.count(counts.loaded)} rows kept" if counts else "nothing is stored yet"


def recognised(checked: Checked) -> None:
    """What the file was recognised as, by what, and the way to read it otherwise."""
    with st.container(border=True, key="recognised", gap="small"):
        base = checked.base
        if base is None:
            show.html(components.recognised("bad", "Not recognised", checked.error))
        else:
            name = (
                base.kind_title
                if base.format_title.startswith(base.kind_title)
                else (f"{base.kind_title}, {base.format_title[:1].lower()}{base.format_title[1:]}")
            )
            show.html(components.recognised("good", name, _by(base, checked.preview)))
        options = wizard.read_as_options()
        st.selectbox(
            "Not right? Read it as",
            list(options),
            format_func=options.get,
            key=wizard.key(checked.upload, "read_as"),
        )


def _by(base: Preview, preview: Preview | None) -> str:
    producer = f"{base.producer}. " if base.producer else ""
    parts = [f"By {base.recognised_by}"]
    if base.encoding:
        parts.append(base.encoding)
    if base.header_line:
        parts.append(f"header in line {base.header_line}")
    counts = preview.counts if preview else None
    if counts:
        parts.append(f"{wording.count(counts.read)} rows")
    return f"{producer}{', '.join(parts)}."


def mapping(checked: Checked) -> None:
    """Which column becomes what, one value for all rows, and the time zone where one is needed."""
    base, upload = checked.base, checked.upload
    if base is None:
        return
    show.html(components.figure_head("Map the columns"))
    if wizard.is_native(base):
        show.html(components.note("This format says itself what each part means; there is nothing to map."))
    else:
        _editor(upload, base)
    _values_for_all(checked)
    if checked.preview is not None and (checked.preview.needs or checked.options.timezone):
        st.selectbox(
            "Time zone of times without one",
            [*_FIRST_ZONES, *sorted(available_timezones() - set(_FIRST_ZONES))],
            index=None,
            placeholder="Choose a zone",
            key=wizard.key(upload, "zone"),
        )
    for reason in wizard.stubborn(checked):
        show.html(components.note(reason))


def _editor(upload: Upload, base: Preview) -> None:
    models = [use.header for use in base.columns if use.why == A_MODEL]
    if models:
        shown = wording.sentence_list(models, most=3)
        show.html(components.note(f"{wording.plural(len(models), 'column')} of models: {shown}."))
    st.data_editor(
        pd.DataFrame(wizard.mapping_rows(base)),
        hide_index=True,
        disabled=["Column in file", "First value", "Why"],
        column_config={
            "Becomes": st.column_config.SelectboxColumn(
                "Becomes", options=[*wizard.field_titles(base.kind), wizard.LEAVE_OUT], required=True
            )
        },
        key=wizard.editor_key(upload, base),
        alt="What each column of the file becomes",
    )


def _values_for_all(checked: Checked) -> None:
    """One value for all rows where the file has no column."""
    base, upload = checked.base, checked.upload
    fields = list(checked.fill)
    if wizard.wants_currency(base, checked.options.mapping):
        fields.append("currency")
    if not fields:
        return
    titles = {name: title for title, name in wizard.field_titles(base.kind).items()}
    helps = {
        "benchmark": "The file names no benchmark. This name, guessed from the file's, holds for all rows.",
        "model": "The file does not name its model. This name holds for all rows.",
        "currency": "Three-letter code. Left empty, costs are kept without a currency.",
    }
    for column, field in zip(st.columns(len(fields)), fields, strict=True):
        key = wizard.key(upload, f"set_{field}")
        st.session_state.setdefault(key, wizard.guess(field, upload, base))
        column.text_input(f"{titles[field]} of all rows", key=key, help=helps[field], max_chars=200)


def dry_run(checked: Checked, loaded: Sequence[SourceFile]) -> None:
    """What an import would do, before it does."""
    preview = checked.preview
    if checked.error and checked.base is not None:
        show.html(components.findings([Finding("bad", checked.error)]))
        return
    if preview is None:
        return
    show.html(components.figure_head("Check before import"))
    if preview.missing:
        words = wording.sentence_list(list(preview.missing))
        reason = "; ".join(preview.hints) or "choose a column above, or give one value for all rows"
        show.html(components.findings([Finding("caution", f"No column for {words} yet.", reason)]))
        return
    counts = preview.counts
    known = next((source for source in loaded if source.sha256 == preview.sha256), None)
    show.html(
        components.kpis(
            (
                Figure("Rows read", wording.count(counts.read)),
                Figure("Will be kept", wording.count(counts.loaded), _share(counts.loaded, counts.read)),
                Figure("Set aside", wording.count(counts.rejected), _aside(counts.rejected, counts.read)),
                Figure("Exact duplicates", wording.count(counts.duplicate_rows), "kept once"),
                Figure("Loaded before", f"batch {known.batch}" if known else "no", "by content"),
            )
        )
    )
    if preview.reasons:
        show.html(
            components.table(
                ("Reason", "Rows", "First record", "Column", "Value", "Expected", "What you can do"),
                [
                    [
                        Cell(reason.reason),
                        Cell(wording.count(reason.rows), number=True),
                        Cell(wording.count(reason.first_record), number=True),
                        Cell(reason.column),
                        Cell(reason.value[:60]),
                        Cell(reason.expected),
                        Cell(reason.advice),
                    ]
                    for reason in preview.reasons
                ],
                label="Rows set aside by reason",
            )
        )
    # How to say it on the command line is no help on a page where the table above can be changed.
    told = [without_flags(warning) for warning in preview.warnings]
    if told:
        show.html(components.findings([Finding("caution", _sentence(text)) for text in told], label="Notes"))


def _share(part: int, whole: int) -> str:
    return wording.share(part / whole) if whole else ""


def _aside(part: int, whole: int) -> str:
    return f"{_share(part, whole)}, downloadable" if part else ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def repeat_choice(checked: Sequence[Checked], message: str) -> None:
    """Results of a contender are loaded and nothing tells repeats apart: the person decides."""
    show.html(
        components.findings([Finding("caution", "Some of these results may be loaded already.", message)])
    )
    for one in checked:
        st.segmented_control(
            f"What {one.upload.name} does to them" if len(checked) > 1 else "What this file does to them",
            list(_REPEATS),
            format_func=_REPEATS.get,
            key=wizard.key(one.upload, "repeat"),
        )


def cancel() -> None:
    """Empty the uploader; nothing was stored."""
    uploads.clear()
    wizard.forget()


def readable() -> str:
    """The kinds of data this version reads, as the uploader's label."""
    titles = [kind.title.lower() for kind in kinds() if kind.supported]
    listed = f"{', '.join(titles[:-1])} or {titles[-1]}" if len(titles) > 1 else titles[0]
    return f"{listed[0].upper()}{listed[1:]}"


def rejects_button(store: Store, checked: Checked) -> None:
    """Download what would be set aside, before anything is imported."""
    counts = checked.preview.counts if checked.preview else None
    if counts is None or not counts.rejected:
        return
    st.download_button(
        f"Download {wording.plural(counts.rejected, 'row')} set aside",
        data=lambda: downloads.csv_bytes(
            REJECT_COLUMNS,
            rejected_rows(store, checked.upload.path, checked.options, checked.upload.name),
        ),
        file_name=f"{checked.upload.name}-set-aside.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key=wizard.key(checked.upload, "rejects"),
    )


def choose(files: Sequence[Checked]) -> Checked | None:
    """The file shown below; with several dropped, the person picks one."""
    if not files:
        return None
    if len(files) == 1:
        return files[0]
    by_id = {checked.upload.id: checked for checked in files}
    picked = st.selectbox(
        "File",
        list(by_id),
        format_func=lambda one: f"{by_id[one].upload.name}: {'ready' if by_id[one].ready else 'needs you'}",
        key="current_file",
    )
    return by_id.get(picked, files[0])


def import_button(files: Sequence[Checked]) -> bool:
    """The one primary button of the page; it names how many rows will be kept."""
    rows = sum(one.preview.counts.loaded for one in files if one.preview and one.preview.counts)
    waiting = [one.upload.name for one in files if not one.ready]
    return st.button(
        f"Import {wording.plural(rows, 'row')}",
        type="primary",
        icon=":material/download_done:",
        disabled=bool(waiting),
        help=f"{wording.sentence_list(waiting, most=3)} needs you first" if waiting else None,
        key="import_rows",
    )
