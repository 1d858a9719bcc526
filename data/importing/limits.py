"""How large and how deep a file may be. Each limit has its own message; none is silently applied."""

MAX_COLUMNS = 2_000
MAX_RECORD_BYTES = 16 << 20
"""Longest record of a table or a JSON file; a longer one is set aside, and its text is cut at ``MAX_RAW``."""
MAX_RAW = 2_000
"""Characters of a set-aside record that are kept."""
MAX_REFUSED = 100_000
"""Records that a reader could not take apart; more of them mean that the file was misunderstood."""
MAX_DOCUMENT_BYTES = 512 << 20
"""Largest JSON document that is read as a whole (tables of JSON records have no such limit)."""
MAX_DEPTH = 200
MAX_UNPACKED_BYTES = 32 << 30
MAX_UNPACKED_RATIO = 200
"""An archive may grow by this factor, once it is above ``MAX_SMALL_UNPACKED``."""
MAX_SMALL_UNPACKED = 64 << 20
MAX_ARCHIVE_MEMBERS = 1_000
MAX_TEXT = 4_000
"""Longest text in a mapped column, such as a task or a model name."""
