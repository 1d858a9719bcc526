"""Figures for the screen (Plotly) and for paper (SVG), and the theme they share."""
