"""Count and sums of the minute bars of a lake in a bucket: bucket.py duckdb|ducklake|delta-rs|polars URL ENDPOINT"""

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


def with_extensions(*modules):
    import duckdb
    from importlib import import_module
    from pathlib import Path

    connection = duckdb.connect()
    for module in modules:
        folder = Path(import_module(module).__file__).parent
        extension = next(folder.glob(f"extensions/v{duckdb.__version__}/*.duckdb_extension"))
        connection.execute(f"LOAD '{extension}'")
    host = endpoint.removeprefix("http://")
    connection.execute(
        f"CREATE SECRET (TYPE s3, KEY_ID '{key}', SECRET '{secret}', ENDPOINT '{host}', URL_STYLE 'path', USE_SSL false)"
    )
    return connection


MINUTES = "SELECT count(*), sum(volume), sum(close) FROM lake.market.candle WHERE timeframe = '1m'"


def with_duckdb():
    connection = with_extensions("duckdb_extension_httpfs")
    connection.execute(f"ATTACH '{url}/catalog.duckdb' AS lake (READ_ONLY)")
    return connection.execute(MINUTES).fetchone()


def with_ducklake():
    connection = with_extensions("duckdb_extension_httpfs", "duckdb_extension_ducklake")
    connection.execute(f"ATTACH 'ducklake:{url}/lake.ducklake' AS lake (READ_ONLY)")
    return connection.execute(MINUTES).fetchone()


def with_delta_rs():
    from deltalake import DeltaTable
    import pyarrow.compute as pc

    rows = DeltaTable(f"{url}/market/candle", storage_options=options).to_pyarrow_table()
    rows = rows.filter(pc.equal(rows["timeframe"], "1m"))
    return rows.num_rows, pc.sum(rows["volume"]).as_py(), pc.sum(rows["close"]).as_py()


def with_polars():
    import polars as pl

    scan = pl.scan_delta(f"{url}/market/candle", storage_options=options).filter(pl.col("timeframe") == "1m")
    return scan.select(pl.len().alias("n"), pl.col("volume").sum(), pl.col("close").sum()).collect().row(0)


print(*{"duckdb": with_duckdb, "ducklake": with_ducklake, "delta-rs": with_delta_rs, "polars": with_polars}[engine]())
