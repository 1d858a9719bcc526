"""Parquet files: every column as text, nested ones as JSON."""

from typing import Final

import duckdb

from data.errors import InputError
from data.importing.formats import json_parts
from data.importing.formats.base import RawColumn, RawTable, Recognition, SpooledFile
from data.importing.limits import MAX_COLUMNS
from data.importing.sql import fresh_name, identifier, literal
from data.importing.staged import ImportOptions


class Parquet:
    """A Parquet table."""

    name: Final = "parquet"
    title: Final = "Parquet"

    def recognise(self, file: SpooledFile) -> Recognition | None:
        """The four letters at the start."""
        return Recognition((), certain=False, why="a Parquet file") if file.content == "parquet" else None

    def read(self, cursor: duckdb.DuckDBPyConnection, file: SpooledFile, options: ImportOptions) -> RawTable:
        """A view over the file.

        Raises:
            InputError: the file is damaged, has too many columns or no rows.
        """
        del options
        source = f"read_parquet({literal(file.path)}, file_row_number = true)"
        try:
            described = cursor.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
            row = cursor.execute(f"SELECT count(*) FROM {source}").fetchone()
        except duckdb.Error as error:
            raise InputError(
                f"{file.name}: the Parquet file is damaged or cut off; export it again"
            ) from error
        found = [(str(entry[0]), str(entry[1])) for entry in described if entry[0] != "file_row_number"]
        if len(found) > MAX_COLUMNS:
            raise InputError(
                f"{file.name}: {len(found):,} columns are more than the {MAX_COLUMNS:,} that are read"
            )
        if not row or not row[0]:
            raise InputError(f"{file.name} has columns and no data rows")
        columns = tuple(RawColumn(f"c{place}", header.strip()) for place, (header, _) in enumerate(found))
        cells = ", ".join(
            f"{_text(identifier(header), kind)} AS {column.sql_name}"
            for column, (header, kind) in zip(columns, found, strict=True)
        )
        view = fresh_name("parquet")
        cursor.execute(
            f"CREATE TEMP VIEW {view} AS SELECT file_row_number + 1 AS record_number, {cells} FROM {source}"
        )
        return RawTable(table=view, columns=columns, sample=json_parts.sample_of(cursor, view))


def _text(column: str, kind: str) -> str:
    if kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
        return f"CAST(to_json({column}) AS VARCHAR)"
    if kind in ("FLOAT", "DOUBLE"):
        # Frames store a missing number as NaN; a cell that is no number at all is no score to reject.
        return f"CASE WHEN isnan({column}) THEN NULL ELSE CAST({column} AS VARCHAR) END"
    return f"CAST({column} AS VARCHAR)"
