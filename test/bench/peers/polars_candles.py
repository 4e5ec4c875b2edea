"""Landed pages of one-minute candles into one Parquet file by polars: typed, nothing checked.

usage: polars_candles.py FOLDER PAGE...
"""

import gzip
import json
import sys

import polars as pl

folder, *pages = sys.argv[1:]
frames = []
for page in pages:
    with gzip.open(page) as file:
        frames.append(pl.DataFrame(json.load(file)["data"]))
price = pl.Decimal(18, 6)
candle = pl.concat(frames).select(
    pl.col("symbol"),
    pl.col("tradingDate").str.to_datetime("%Y/%m/%d %H:%M:%S").alias("opened_at"),
    *[pl.col(name).cast(price) for name in ("open", "high", "low", "close")],
    pl.col("volume").cast(pl.Int64),
    pl.col("value").cast(pl.Decimal(18, 2)),
)
candle.write_parquet(f"{folder}/candle.parquet")
print(candle.height)
