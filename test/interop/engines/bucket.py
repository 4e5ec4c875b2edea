"""Figures of a lake in a bucket: bucket.py duckdb|ducklake|delta-rs|polars URL ENDPOINT, as a JSON list.

Of each table: how many rows, two sums, the lowest of a column and the highest of another.
"""

import json
import os
import sys

engine, url, endpoint = sys.argv[1:]
key, secret = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
options = {
    "AWS_ENDPOINT_URL": endpoint,
    "AWS_ALLOW_HTTP": "true",
    "AWS_ACCESS_KEY_ID": key,
    "AWS_SECRET_ACCESS_KEY": secret,
    "AWS_REGION": "us-east-1",
}
# Table, its rows, columns to add up, the column of the lowest value and that of the highest.
ASKED = [
    ("market.candle", ("timeframe", "1m"), ("volume", "close"), "trading_date", "trading_date"),
    ("mart.daily_adjusted", None, ("total_match", "close"), "trading_date", "close_adjusted"),
    ("mart.daily_factor", None, ("close", "ref_price"), "trading_date", "mean_volume_20"),
]


def with_extensions(*names):
    from extensions import reader_of_bucket

    return reader_of_bucket(endpoint, key, secret, *names)


def by_sql(connection):
    def figures(table, rows, summed, lowest, highest):
        where = f"WHERE {rows[0]} = '{rows[1]}'" if rows else ""
        sums = ", ".join(f"sum({name})" for name in summed)
        asked = f"SELECT count(*), {sums}, min({lowest}), max({highest}) FROM lake.{table} {where}"
        return connection.execute(asked).fetchone()

    return figures


def with_duckdb():
    connection = with_extensions("httpfs")
    connection.execute(f"ATTACH '{url}/catalog.duckdb' AS lake (READ_ONLY)")
    return by_sql(connection)


def with_ducklake():
    connection = with_extensions("httpfs", "ducklake")
    connection.execute(f"ATTACH 'ducklake:{url}/lake.ducklake' AS lake (READ_ONLY)")
    return by_sql(connection)


def with_delta_rs():
    from deltalake import DeltaTable
    import pyarrow.compute as pc

    def figures(table, rows, summed, lowest, highest):
        found = DeltaTable(place_of(table), storage_options=options).to_pyarrow_table()
        if rows:
            found = found.filter(pc.equal(found[rows[0]], rows[1]))
        sums = [pc.sum(found[name]).as_py() for name in summed]
        return found.num_rows, *sums, pc.min(found[lowest]).as_py(), pc.max(found[highest]).as_py()

    return figures


def with_polars():
    import polars as pl

    def figures(table, rows, summed, lowest, highest):
        found = pl.scan_delta(place_of(table), storage_options=options)
        if rows:
            found = found.filter(pl.col(rows[0]) == rows[1])
        sums = [pl.col(name).sum().alias(f"sum of {name}") for name in summed]
        bounds = [pl.col(lowest).min().alias("lowest"), pl.col(highest).max().alias("highest")]
        return found.select(pl.len().alias("rows"), *sums, *bounds).collect().row(0)

    return figures


def place_of(table):
    return f"{url}/{table.replace('.', '/')}"


opened = {"duckdb": with_duckdb, "ducklake": with_ducklake, "delta-rs": with_delta_rs, "polars": with_polars}[engine]()
print(json.dumps([value for asked in ASKED for value in opened(*asked)], default=str))
