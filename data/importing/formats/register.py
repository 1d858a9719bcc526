"""The formats, in the order they are asked. A new format is one module and one line here."""

from data.importing.formats.base import Format

FORMATS: tuple[Format, ...] = ()
