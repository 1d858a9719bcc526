"""Uploaded files on disk: written once each, found again on every run, removed when they are done with."""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from data.store import Store

#: Session key of the files that lie in the spool.
KEPT = "uploads_on_disk"
_ROUND = "uploads_round"


@dataclass(frozen=True)
class Upload:
    """A file a person dropped: its browser-side id, its own name, and the copy the store may read."""

    id: str
    name: str
    path: Path
    size_bytes: int


def uploader_key() -> str:
    """The uploader's key of this round; another one empties it."""
    return f"uploads_{st.session_state.get(_ROUND, 0)}"


def on_disk(store: Store, files: Sequence[UploadedFile]) -> list[Upload]:
    """The uploads as files in the spool; copies of files that were removed in the browser go."""
    kept: dict[str, Upload] = st.session_state.setdefault(KEPT, {})
    for gone in kept.keys() - {file.file_id for file in files}:
        kept.pop(gone).path.unlink(missing_ok=True)
    for file in files:
        known = kept.get(file.file_id)
        if known is None or not known.path.exists():
            kept[file.file_id] = _write(store, file)
    return [kept[file.file_id] for file in files]


def _write(store: Store, file: UploadedFile) -> Upload:
    # The name is for messages; only its ending, which some readers look at, reaches the disk.
    ending = "".join(Path(file.name).suffixes[-2:])
    safe = ending if re.fullmatch(r"(\.[A-Za-z0-9]{1,10}){0,2}", ending) else ""
    path = store.spool / f"upload-{secrets.token_hex(8)}{safe}"
    path.write_bytes(file.getbuffer())
    return Upload(file.file_id, file.name, path, file.size)


def clear() -> None:
    """Empty the uploader and forget its copies.

    Streamlit keeps the bytes of an uploader whose key went away until the tab closes; its own manager lets
    them go at once. Where a later Streamlit has another manager, they stay until then.
    """
    kept: dict[str, Upload] = st.session_state.pop(KEPT, {})
    context = get_script_run_ctx()
    manager = getattr(context, "uploaded_file_mgr", None)
    for upload in kept.values():
        upload.path.unlink(missing_ok=True)
        if context is not None and hasattr(manager, "remove_file"):
            manager.remove_file(session_id=context.session_id, file_id=upload.id)
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
