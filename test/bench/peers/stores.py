"""The same one-minute bars in other stores, and read from each: stores.py FILES FOLDER SYMBOL DAY FROM TO CATALOG.

FILES has the Parquet files of the lake, one path a line. Every store is written from one Arrow table of all bars, sorted by symbol and minute, with
the columns that a reader of bars takes. Prints a line of JSON per store: CPU seconds to write, bytes, and the CPU milliseconds of two questions, the
median of some rounds; and last what the catalog of candlehouse takes to give the same frames.
"""

import json
import os
import statistics
import sys
import time

import arcticdb
import duckdb
import pandas as pd
import polars as pl

listed, folder, symbol, day, first, last, catalog = sys.argv[1:]
ROUNDS = 7
COLUMNS = "symbol, opened_at, open, high, low, close, volume, value"

with open(listed) as lines:
    files = lines.read().split("\n")
source = duckdb.connect()
prices = ", ".join(f"CAST({name} AS DOUBLE) AS {name}" for name in ("open", "high", "low", "close", "value"))
frame = source.sql(f"""
    SELECT symbol, opened_at AT TIME ZONE 'UTC' AS opened_at, trading_date, volume, {prices}
    FROM read_parquet({files!r}, hive_partitioning = false) WHERE timeframe = '1m' ORDER BY symbol, opened_at
""").pl()
day_from, day_to = pd.Timestamp(day), pd.Timestamp(day) + pd.Timedelta(days=1)
year_from, year_to = pd.Timestamp(first), pd.Timestamp(last) + pd.Timedelta(days=1)
symbols = frame["symbol"].unique().sort().to_list()


def cpu():
    return time.process_time()


def size(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(where, name)) for where, _, names in os.walk(path) for name in names)


def report(name, path, write, year, session):
    """Measures a store. `year` and `session` give a frame; their rows and volumes are compared with the source."""
    began = cpu()
    opened = write(path)
    written = cpu() - began
    expected = {
        "year": frame.filter((pl.col("symbol") == symbol) & (pl.col("opened_at") >= year_from) & (pl.col("opened_at") < year_to)),
        "session": frame.filter((pl.col("opened_at") >= day_from) & (pl.col("opened_at") < day_to)),
    }
    figures = {}
    for question, ask in (("year", year), ("session", session)):
        times = []
        for _ in range(ROUNDS + 1):
            began = cpu()
            rows, volume = ask(opened)
            times.append((cpu() - began) * 1e3)
        want = (expected[question].height, int(expected[question]["volume"].sum()))
        if (rows, volume) != want:
            raise SystemExit(f"{name} gives {rows} rows with a volume of {volume} for {question}, wanted are {want}")
        figures[question] = statistics.median(times[1:])
    print(json.dumps({"store": name, "rows": frame.height, "write_s": written, "bytes": size(path), **figures}), flush=True)


def of(data):
    return len(data), int(data["volume"].sum())


def write_arctic(path):
    library = arcticdb.Arctic(f"lmdb://{path}?map_size=20GB").get_library("bars", create_if_missing=True)
    for part in frame.partition_by("symbol"):
        bars = part.drop("symbol", "trading_date").to_pandas().set_index("opened_at")
        library.write(part["symbol"][0], bars)
    return library


def arctic_session(library):
    asked = [arcticdb.ReadRequest(each, date_range=(day_from, day_to - pd.Timedelta(1))) for each in symbols]
    return of(pd.concat([item.data for item in library.read_batch(asked)]))


report(
    f"ArcticDB {arcticdb.__version__}",
    f"{folder}/arctic",
    write_arctic,
    lambda library: of(library.read(symbol, date_range=(year_from, year_to - pd.Timedelta(1))).data),
    arctic_session,
)


def write_duckdb(path):
    database = duckdb.connect(path)
    bars = frame  # noqa: F841, DuckDB finds it by its name
    database.execute("CREATE TABLE candle AS FROM bars")
    database.execute("CHECKPOINT")
    return database


def by(condition):
    return f"SELECT {COLUMNS} FROM candle WHERE {condition}"


year_where = f"symbol = '{symbol}' AND trading_date BETWEEN DATE '{first}' AND DATE '{last}'"
day_where = f"trading_date = DATE '{day}'"
report(
    f"a DuckDB {duckdb.__version__} table",
    f"{folder}/bars.duckdb",
    write_duckdb,
    lambda database: of(database.execute(by(year_where)).df()),
    lambda database: of(database.execute(by(day_where)).df()),
)


def write_polars(path):
    frame.write_parquet(path)
    return pl.scan_parquet(path)


report(
    f"a Parquet file of polars {pl.__version__}",
    f"{folder}/bars.parquet",
    write_polars,
    lambda scan: of(
        scan.filter((pl.col("symbol") == symbol) & pl.col("trading_date").is_between(pd.Timestamp(first).date(), pd.Timestamp(last).date())).collect()
    ),
    lambda scan: of(scan.filter(pl.col("trading_date") == pd.Timestamp(day).date()).collect()),
)


def write_nothing(_):
    database = duckdb.connect(catalog, read_only=True)
    database.execute("SET enable_progress_bar = false")
    return database


def bars_of_catalog(condition):
    doubles = ", ".join(f"CAST({name} AS DOUBLE) AS {name}" for name in ("open", "high", "low", "close", "value"))
    return f"SELECT symbol, opened_at AT TIME ZONE 'UTC' AS opened_at, volume, {doubles} FROM market.candle WHERE timeframe = '1m' AND {condition}"


report(
    "candlehouse",
    os.path.join(os.path.dirname(catalog), "lake/market/candle"),
    write_nothing,
    lambda database: of(database.execute(bars_of_catalog(year_where)).df()),
    lambda database: of(database.execute(bars_of_catalog(day_where)).df()),
)
