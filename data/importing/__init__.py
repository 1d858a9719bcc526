"""The way in: recognise, map, validate, stage, report, commit."""
