"""What the Data page draws about what is loaded: the receipt, the imports, the inbox and the sample."""

import secrets
from collections.abc import Sequence

import streamlit as st

from analysis import wording
from analysis.results import Finding
from answers.base import Fact, Headline
from data.batches import undo, write_rejects
from data.importing import BatchReport
from data.inbox import InboxFile, QueuedOutcome, commit_queued, inbox_files
from data.sample import has_sample, load_sample, remove_sample
from data.store import Store
from ui import components, empty, frame, navigation, show
from ui.components import Cell, Chip
from ui.holder import Holder

RECEIPT = "receipt"
#: How often the Data page looks for what other processes left.
LOOK_SECONDS = 3


def chips(batches: Sequence[BatchReport], revision: int) -> list[Chip]:
    """How much is loaded."""
    return [
        Chip(wording.count(len(batches)), "file loaded" if len(batches) == 1 else "files loaded"),
        Chip(wording.count(sum(batch.loaded for batch in batches)), "rows"),
        Chip(wording.count(revision), lead="revision"),
    ]


def receipt(store: Store, reports: Sequence[BatchReport], benchmark: str | None) -> None:
    """What an import did, with the way on and the way back."""
    show.html(components.verdict(told(reports), label="Receipt"))
    with st.container(horizontal=True, gap="small", key="receipt_actions"):
        if benchmark is not None and st.button(
            "Open Leaderboard", type="primary", icon=":material/leaderboard:", key="open_leaderboard"
        ):
            st.session_state.pop(RECEIPT, None)
            st.switch_page(navigation.page("leaderboard"), query_params={"benchmark": benchmark})
        fresh = [report for report in reports if not report.duplicate]
        if fresh and st.button("Undo", icon=":material/undo:", key="undo_receipt"):
            for report in reversed(fresh):
                undo(store, report.batch)
            st.session_state.pop(RECEIPT, None)
            st.toast("Import undone; what it covered counts again.", icon=":material/undo:")
            st.rerun()
        for report in fresh:
            if report.rejected:
                rejects_button(store, report, key=f"receipt_rejects_{report.batch}")
        if st.button("Close", type="tertiary", key="close_receipt"):
            st.session_state.pop(RECEIPT, None)
            st.rerun()


def told(reports: Sequence[BatchReport]) -> Headline:
    """An import in a sentence, with its counts."""
    loaded, rejected = sum(one.loaded for one in reports), sum(one.rejected for one in reports)
    names = wording.sentence_list([report.file for report in reports], most=2)
    warnings = [warning for report in reports for warning in report.warnings]
    facts = [
        Fact("Read", wording.count(sum(report.read for report in reports))),
        Fact("Set aside", wording.count(rejected)),
        Fact("Exact duplicates", wording.count(sum(report.duplicate_rows for report in reports))),
        Fact("Batch", wording.sentence_list([str(report.batch) for report in reports], most=4)),
    ]
    if all(report.duplicate for report in reports):
        return Headline(
            "caution", "Loaded before", f"{names} changed nothing.", " ".join(warnings[:1]), tuple(facts)
        )
    status = "caution" if rejected or warnings else "good"
    why = warnings[0] if warnings else ""
    return Headline(
        status,
        "Imported",
        f"{wording.count(loaded)} {'row' if loaded == 1 else 'rows'} loaded from {names}.",
        f"{why[:1].upper()}{why[1:]}{'.' if why and not why.endswith('.') else ''}",
        tuple(facts),
    )


def rejects_button(store: Store, report: BatchReport, key: str) -> None:
    """Download the rows an import set aside."""
    st.download_button(
        f"Download {wording.plural(report.rejected, 'row')} set aside",
        data=lambda: _rejects(store, report.batch),
        file_name=f"batch-{report.batch}-set-aside.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key=key,
    )


def _rejects(store: Store, batch: int) -> bytes:
    path = store.exports / f".rejects-{secrets.token_hex(8)}.csv"
    try:
        write_rejects(store, batch, path)
        return path.read_bytes()
    finally:
        path.unlink(missing_ok=True)


def imports(store: Store, batches: Sequence[BatchReport]) -> None:
    """Everything loaded, newest first, with undo and the rows set aside."""
    newest = list(reversed(batches))
    rows = [
        [
            Cell(batch.file, small=f"SHA-256 {wording.short_hash(batch.sha256)}"),
            Cell(show.read_as(batch.kind, batch.format)),
            Cell(wording.count(batch.loaded), number=True),
            Cell(wording.count(batch.rejected), number=True),
            Cell(wording.count(batch.superseded), number=True),
            Cell(wording.timestamp(batch.imported_at)),
        ]
        for batch in newest[: show.MOST_TABLE_ROWS]
    ]
    headers = ("File", "Recognised as", "Rows kept", "Set aside", "Replaced rows", "Imported")
    show.html(components.figure_head("What is loaded") + components.table(headers, rows, label="Imports"))
    if len(newest) > show.MOST_TABLE_ROWS:
        show.html(
            components.note(f"The last {show.MOST_TABLE_ROWS} of {wording.count(len(newest))} imports.")
        )
    by_number = {batch.batch: batch for batch in newest}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="batch_actions"):
        number = st.selectbox(
            "Import",
            list(by_number),
            format_func=lambda batch: f"{by_number[batch].file} (batch {batch})",
            key="chosen_batch",
            width=360,
        )
        chosen = by_number[number]
        if st.button(
            "Undo this import", icon=":material/undo:", key="undo_batch", help="What it covered counts again"
        ):
            undo(store, chosen.batch)
            st.toast(f"{chosen.file} undone.", icon=":material/undo:")
            st.rerun()
        if chosen.rejected:
            rejects_button(store, chosen, key="batch_rejects")


def sample(store: Store) -> None:
    """Load or remove the sample data."""
    if has_sample(store):
        show.html(components.note("The sample data are loaded: made-up models, marked as such."))
        if st.button("Remove sample data", icon=":material/science:", key="remove_sample"):
            remove_sample(store)
            st.toast("Sample data removed.", icon=":material/science:")
            st.rerun()
    elif st.button("Load sample data", icon=":material/science:", key="load_sample"):
        with st.spinner("Loading sample data"):
            load_sample(store)
        st.rerun()
    empty.template_button(width="content")


@st.fragment(run_every=LOOK_SECONDS)
def inbox(holder: Holder, revision: int) -> None:
    """What other processes left, and files dropped into the folder by hand.

    ``revision`` is the one the page was drawn at: when a queued import has raised it, it is drawn again.
    """
    with frame.boundary():
        if holder.store.revision != revision:
            st.rerun()
        _inbox(holder)


def _inbox(holder: Holder) -> None:
    files = inbox_files(holder.store)
    outcomes = list(holder.outcomes)
    if not files and not outcomes:
        return
    show.html(
        components.figure_head("Inbox", f"Files in {holder.store.inbox} and imports of other processes.")
    )
    if outcomes:
        show.html(
            components.findings([outcome_told(outcome) for outcome in reversed(outcomes)], label="Inbox")
        )
    if files:
        show.html(
            components.table(
                ("File", "Size", "Changed"), [_file_row(file) for file in files], label="Inbox files"
            )
        )
        if st.button(
            f"Import {wording.plural(len(files), 'file')} from the inbox",
            icon=":material/inbox:",
            key="import_inbox",
        ):
            with st.spinner("Importing"):
                holder.outcomes.extend(commit_queued(holder.store, everything=True))
            st.rerun()


def _file_row(file: InboxFile) -> list[Cell]:
    return [
        Cell(file.name),
        Cell(f"{wording.count(file.size_bytes)} bytes", number=True),
        Cell(wording.timestamp(file.modified_at)),
    ]


def outcome_told(outcome: QueuedOutcome) -> Finding:
    """What became of a queued import."""
    names = wording.sentence_list(list(outcome.files), most=3) or outcome.request
    if outcome.error is not None:
        where = f"the files lie in {outcome.kept_in}" if outcome.kept_in else "nothing was stored"
        return Finding("bad", f"{names}: {outcome.error}", where)
    loaded = sum(report.loaded for report in outcome.reports)
    rejected = sum(report.rejected for report in outcome.reports)
    if all(report.duplicate for report in outcome.reports):
        return Finding("caution", f"{names} was loaded before; nothing changed.", "left by another process")
    aside = f"; {wording.count(rejected)} set aside" if rejected else ""
    return Finding(
        "good", f"{names}: {wording.plural(loaded, 'row')} loaded{aside}.", "left by another process"
    )
