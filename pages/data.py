"""Data: upload, recognise, map, check, import; what is loaded, and how to take it back."""

import streamlit as st

from answers.loaded import benchmarks
from data.batches import RepeatNeededError, list_batches
from data.errors import InputError
from ui import batches, components, holder, importing, messages, navigation, show, uploads, wizard

navigation.guard()
held = holder.holder()
store = held.store
show.title_row("Data")
loaded = list_batches(store)
show.chips(batches.chips(loaded, store.revision))
reports = st.session_state.get(batches.RECEIPT)
if reports:
    found = benchmarks(store)
    batches.receipt(store, reports, found[0].name if found else None)

steps = st.container()
left, right = st.columns([1, 1.63], gap="medium")
with left:
    dropped = st.file_uploader(
        importing.readable(),
        accept_multiple_files=True,
        key=uploads.uploader_key(),
        help="CSV, TSV, JSON, JSON lines, Parquet or Inspect logs, also zipped. Larger ones: the inbox.",
    )
files = [wizard.check(store, upload) for upload in uploads.on_disk(store, dropped)]
with steps:
    current = importing.choose(files)
    importing.track(files, current)
if current is None:
    with right:
        batches.sample(store)
else:
    with left:
        importing.recognised(current)
    with right:
        importing.mapping(current)
    importing.dry_run(current, loaded)
    message = st.session_state.get("repeat_message")
    if message:
        importing.repeat_choice(files, message)
    with st.container(horizontal=True, gap="small", key="import_actions"):
        wanted = importing.import_button(files)
        importing.rejects_button(store, current)
        st.button("Cancel", type="tertiary", key="cancel_import", on_click=importing.cancel)
    if wanted:
        try:
            with st.spinner("Importing"):
                done = wizard.run_import(store, files)
        except RepeatNeededError as error:
            st.session_state["repeat_message"] = messages.without_flags(str(error))
            st.rerun()
        except InputError as error:
            show.html(components.problem(messages.without_flags(str(error))))
        else:
            st.session_state[batches.RECEIPT] = done
            importing.cancel()
            st.rerun()

batches.inbox(held, store.revision)
if loaded:
    batches.imports(store, loaded)
