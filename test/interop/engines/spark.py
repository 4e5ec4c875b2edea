"""Spark with Delta Lake, on a cluster of two workers."""

import os
import shutil

import pyspark
from answer import serve, text
from pyspark.sql import functions as F
from spark_session import open_session
from values import value_of

MASTER = "local-cluster[2,1,1024]"


def exact(name, kind):
    column = F.col(f"`{name}`")
    match kind:
        case "date":
            return F.unix_date(column)
        case "instant":
            return F.unix_micros(column)
        case "boolean":
            return column.cast("int")
        case _:
            return column


def summand(column, kind):
    match kind:
        case "text":
            return F.octet_length(column)
        case "double":
            # Millionths of a mean value in VND do not fit the 64 bits of floor: in two exact parts of the same sign.
            millionths = column * F.lit(1e6)
            parts = millionths / F.lit(float(2**20))
            high = F.when(parts < 0, F.ceil(parts)).otherwise(F.floor(parts))
            low = F.floor(millionths - high.cast("double") * F.lit(float(2**20)))
            return high.cast("decimal(18,0)") * F.lit(2**20).cast("decimal(8,0)") + low.cast("decimal(18,0)")
        case "instant" | "integer":
            # Microseconds of 60,000 rows do not fit 64 bits.
            return column.cast("decimal(28,0)")
        case _:
            return column


def answer(question):
    reader = spark.read.format("delta")
    if question["version"] is not None:
        reader = reader.option("versionAsOf", question["version"])
    table = reader.load(question["table"])
    kinds = {column["name"]: column["kind"] for column in question["columns"]}
    asked = [F.count(F.lit(1))]
    for name in table.columns:
        kind = kinds.get(name, "text")
        column = exact(name, kind)
        asked += [
            F.count(column),
            F.sum(summand(column, kind)),
            F.min(column),
            F.max(column),
        ]
    [[rows, *said]] = table.agg(*(each.cast("string") for each in asked)).collect()
    four = [iter(said)] * 4
    return {
        "rows": rows,
        "columns": {
            name: {"type": type_, **dict(zip(("values", "sum", "min", "max"), each))}
            for (name, type_), each in zip(table.dtypes, zip(*four))
        },
        "probes": [text(count(table, **probe)) for probe in question["probes"]],
    }


def count(table, column, value):
    field = F.col(f"`{column['name']}`")
    there = field.isNull() if value is None else field == F.lit(value_of(column["kind"], value))
    return table.where(there).count()


spark = open_session(MASTER, partitions=2)
try:
    serve(f"spark {pyspark.__version__}", answer)
finally:
    spark.stop()
    # Each executor got a copy of the jars.
    shutil.rmtree(os.path.join(os.path.dirname(pyspark.__file__), "work"), ignore_errors=True)
