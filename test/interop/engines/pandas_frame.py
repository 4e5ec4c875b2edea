"""pandas by delta-rs, with Arrow types: NumPy's have no exact decimals and no missing integers."""

import decimal

import deltalake
import pandas as pd
import pyarrow.compute as pc
from answer import serve, text
from values import value_of

# Sums of money have more digits than the 28 that Python keeps of itself.
decimal.getcontext().prec = 76

EPOCH = pd.Timestamp(0, tz="UTC")


def number(value, kind):
    match kind:
        case "date":
            return (value - EPOCH.date()).days
        case "instant":
            return (value - EPOCH) // pd.Timedelta(microseconds=1)
        case "boolean":
            return int(value)
        case _:
            return value


def summand(value, kind):
    match kind:
        case "text":
            return len(value.encode())
        case "double":
            return int(value * 1e6 // 1)
        case _:
            return value


def figures(series, kind):
    exact = [number(value, kind) for value in series.dropna().tolist()]
    return {
        "type": str(series.dtype),
        "values": text(series.count()),
        "sum": text(sum(summand(value, kind) for value in exact)) if exact else None,
        "min": text(min(exact, default=None)),
        "max": text(max(exact, default=None)),
    }


def answer(question):
    table = deltalake.DeltaTable(question["table"], version=question["version"])
    frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    kinds = {column["name"]: column["kind"] for column in question["columns"]}
    return {
        "rows": text(len(frame)),
        "columns": {name: figures(frame[name], kinds.get(name, "text")) for name in frame.columns},
        "probes": [text(count(table, **probe)) for probe in question["probes"]],
    }


def count(table, column, value):
    name = column["name"]
    # Filters in words know no null.
    wanted = pc.field(name).is_null() if value is None else [(name, "=", value_of(column["kind"], value))]
    return len(table.to_pandas(filters=wanted, columns=[name], types_mapper=pd.ArrowDtype))


serve(f"pandas {pd.__version__}", answer)
