"""Answers on the screen: asked once for each revision of the store and each set of parameters."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from answers import register
from answers.base import Answer
from answers.parameters import Parameters, build
from data.store import Store

#: Answers kept for all sessions together; one of 25 models is under a megabyte.
ANSWERS_KEPT = 64


def ask(store: Store, question: str, values: Mapping[str, Any]) -> Answer:
    """The answer to ``question`` with these parameters on the store as it is now.

    Raises:
        InputError: a parameter is wrong or names what is not loaded.
    """
    entry = register.question(question)
    return _ask(str(store.path), store.revision, question, build(entry.parameters, values), store)


@st.cache_data(show_spinner=False, max_entries=ANSWERS_KEPT)
def _ask(
    path: str,  # noqa: ARG001 - part of the cache's key alone: a store cannot be hashed
    revision: int,  # noqa: ARG001 - part of the cache's key alone
    question: str,
    parameters: Parameters,
    _store: Store,
) -> Answer:
    return register.question(question).ask(_store, parameters)
