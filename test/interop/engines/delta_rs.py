"""delta-rs reads the log, Arrow the files."""

import deltalake
import pyarrow as pa
import pyarrow.compute as pc
from answer import serve, text
from values import value_of


def numbers(column, kind):
    """A column as exact numbers; texts stay texts."""
    match kind:
        case "date":
            return column.cast(pa.int32()).cast(pa.int64())
        case "instant" | "boolean":
            return column.cast(pa.int64())
        case _:
            return column


def summands(column, kind):
    match kind:
        case "text":
            column = pc.binary_length(column).cast(pa.int64())
        case "double":
            # Millionths of a mean value in VND do not fit 64 bits.
            return pc.floor(pc.multiply(column, 1e6)).cast(pa.decimal128(38, 0))
    scale = column.type.scale if kind == "decimal" else 0
    # Microseconds of 60,000 rows do not fit 64 bits.
    return column.cast(pa.decimal128(38, scale))


def figures(column, kind):
    exact = numbers(column, kind)
    bounds = pc.min_max(exact)
    return {
        "type": str(column.type),
        "values": text(pc.count(column)),
        "sum": text(pc.sum(summands(exact, kind))),
        "min": text(bounds["min"]),
        "max": text(bounds["max"]),
    }


def answer(question):
    table = deltalake.DeltaTable(question["table"], version=question["version"])
    rows = table.to_pyarrow_table()
    kinds = {column["name"]: column["kind"] for column in question["columns"]}
    dataset = table.to_pyarrow_dataset()
    return {
        "rows": text(rows.num_rows),
        "columns": {name: figures(rows[name], kinds.get(name, "text")) for name in rows.column_names},
        "probes": [text(count(dataset, **probe)) for probe in question["probes"]],
    }


def count(dataset, column, value):
    field = dataset.schema.field(column["name"])
    if value is None:
        return dataset.count_rows(filter=pc.field(field.name).is_null())
    wanted = pa.scalar(value_of(column["kind"], value), field.type)
    return dataset.count_rows(filter=pc.field(field.name) == wanted)


serve(f"delta-rs {deltalake.__version__}", answer)
