"""The dashboard's picture frame: page configuration, navigation, and the page inside.

``python cli.py serve`` starts it.
"""

import streamlit as st

from ui import frame, navigation

st.set_page_config(page_icon=navigation.ICON, layout="wide", initial_sidebar_state=296)
frame.open_frame()
page = st.navigation(navigation.pages())
st.session_state[navigation.FRAMED] = True
with frame.boundary():
    page.run()
frame.watch_theme()
