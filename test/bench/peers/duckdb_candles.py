"""Landed pages of one-minute candles into a DuckDB table by read_json: typed, nothing checked.

usage: duckdb_candles.py FOLDER PAGE...
"""

import sys

import duckdb

folder, *pages = sys.argv[1:]
database = duckdb.connect(f"{folder}/plain.duckdb")
database.execute("""
    CREATE TABLE candle (symbol VARCHAR, opened_at TIMESTAMP, open DECIMAL(18,6), high DECIMAL(18,6),
      low DECIMAL(18,6), close DECIMAL(18,6), volume BIGINT, value DECIMAL(18,2))
""")
database.execute(
    """
    INSERT INTO candle
    SELECT bar.symbol, strptime(bar."tradingDate", '%Y/%m/%d %H:%M:%S'), bar.open, bar.high, bar.low, bar.close,
      bar.volume, bar.value
    FROM (
      SELECT unnest(data) AS bar FROM read_json(?, maximum_object_size = 67108864, columns = {data:
        'STRUCT(symbol VARCHAR, "tradingDate" VARCHAR, open VARCHAR, high VARCHAR, low VARCHAR, close VARCHAR,
          volume VARCHAR, value VARCHAR)[]'})
    )
    """,
    [pages],
)
print(database.execute("SELECT count(*) FROM candle").fetchone()[0])
database.close()
