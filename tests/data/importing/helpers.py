"""What the import tests share: write a file, import it, read what was stored."""

from data.importing import ImportOptions, check_file, import_files

LONG = b"task_id,model,score\nt1,m,1\nt2,m,0\n"


def options(kind="evals", *, benchmark="b", mapping=None, **more):
    constants = dict(more.pop("constants", {}))
    if benchmark is not None:
        constants.setdefault("benchmark", benchmark)
    return ImportOptions(kind=kind, mapping=mapping or {}, constants=constants, **more)


def bring(store, tmp_path, content, name="file.csv", **more):
    """Import one file; gives its report."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return import_files(store, [path], options(**more))[0]


def look(store, tmp_path, content, name="file.csv", **more):
    """Check one file; gives its preview."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return check_file(store, path, options(**more))


def stored(store, columns, table="eval_result"):
    """Stored rows in file order as tuples, None for unknown."""
    with store.scratch() as cursor:
        order = "batch" if table == "import_batch" else "batch, record_number"
        return cursor.execute(f"SELECT {columns} FROM (SELECT * FROM {table} ORDER BY {order})").fetchall()


def rejected(store):
    """Set-aside rows as (record, reason, column, value)."""
    with store.scratch() as cursor:
        return cursor.execute(
            "SELECT record_number, reason, column_name, value FROM rejected_row ORDER BY ALL"
        ).fetchall()
