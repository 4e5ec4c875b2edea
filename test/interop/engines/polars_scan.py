"""polars scans the Delta table with its own Parquet reader."""

import polars as pl
from answer import serve, text
from values import value_of


def numbers(column, kind):
    match kind:
        case "date" | "instant" | "boolean":
            return column.cast(pl.Int128)
        case _:
            return column


def summands(column, kind):
    match kind:
        case "text":
            return column.str.len_bytes().cast(pl.Int128)
        case "double":
            return (column * 1e6).floor().cast(pl.Int128)
        case "integer":
            return column.cast(pl.Int128)
        case _:
            return column


def answer(question):
    scan = pl.scan_delta(question["table"], version=question["version"])
    schema = scan.collect_schema()
    kinds = {column["name"]: column["kind"] for column in question["columns"]}
    asked = [pl.len().alias("rows")]
    for name in schema.names():
        kind = kinds.get(name, "text")
        exact = numbers(pl.col(name), kind)
        asked += [
            pl.col(name).count().alias(f"{name}/values"),
            summands(exact, kind).sum().alias(f"{name}/sum"),
            exact.min().alias(f"{name}/min"),
            exact.max().alias(f"{name}/max"),
        ]
    [row] = scan.select(asked).collect().to_dicts()
    for name in schema.names():
        # To polars the sum of nothing is 0.
        if row[f"{name}/values"] == 0:
            row[f"{name}/sum"] = None
    return {
        "rows": text(row["rows"]),
        "columns": {
            name: {
                "type": str(schema[name]),
                **{of: text(row[f"{name}/{of}"]) for of in ("values", "sum", "min", "max")},
            }
            for name in schema.names()
        },
        "probes": [text(count(scan, schema, **probe)) for probe in question["probes"]],
    }


def count(scan, schema, column, value):
    name = column["name"]
    wanted = pl.lit(value_of(column["kind"], value), dtype=schema[name])
    there = pl.col(name).is_null() if value is None else pl.col(name) == wanted
    return scan.filter(there).select(pl.len()).collect().item()


serve(f"polars {pl.__version__}", answer)
