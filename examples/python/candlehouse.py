"""Prices of a candlehouse home, for Python. Copy this file next to your own: it needs duckdb, and nothing else.

    from candlehouse import candles, daily

    daily("FPT")                                  # a table, on the screen
    daily("FPT", since="2025-01-01").df()         # pandas; .pl() polars, .arrow() Arrow
    candles("FPT", "5m", adjusted=True).df()

Every function reads the catalog as it is when it is called, and opens nothing for writing. The home is the folder of
CANDLEHOUSE_HOME, else ./data; `home=` names another.
"""

from __future__ import annotations

import os
from datetime import date
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal, Union

import duckdb

Day = Union[str, date]
Timeframe = Literal["1m", "3m", "5m", "15m", "30m", "1h", "1d"]


def connect(home: str | Path | None = None) -> duckdb.DuckDBPyConnection:
    """A read-only connection to the catalog, in exchange time.

    Raises FileNotFoundError before the first publication.
    """
    folder = Path(home or os.environ.get("CANDLEHOUSE_HOME", "data"))
    catalog = folder / "catalog.duckdb"
    if not catalog.exists():
        hint = "run `candlehouse nightly` first, or set CANDLEHOUSE_HOME"
        raise FileNotFoundError(f"{catalog} is not there: {hint}")
    return duckdb.connect(str(catalog), read_only=True)


def daily(
    symbol: str,
    since: Day | None = None,
    until: Day | None = None,
    *,
    adjusted: bool = True,
    home: str | Path | None = None,
) -> duckdb.DuckDBPyRelation:
    """One row per session of a symbol: trading_date, open, high, low, close, volume, value, foreign_net_value.

    Prices are VND per share (index points for futures), volume is matched shares or contracts. Adjusted
    prices are comparable over splits, bonus shares, rights and dividends; the latest session is as it was
    traded.

    Source: mart.daily_adjusted and market.daily_summary.
    """
    price = "daily.{0}_adjusted AS {0}" if adjusted else "CAST(daily.{0} AS DOUBLE) AS {0}"
    prices = ", ".join(price.format(name) for name in ("open", "high", "low", "close"))
    volume = "daily.total_match_adjusted" if adjusted else "daily.total_match"
    return _read(
        home,
        f"""
        SELECT trading_date, {prices}, {volume} AS volume, CAST(daily.total_match_value AS DOUBLE) AS value,
          CAST(summary.total_foreign_buy_value - summary.total_foreign_sell_value AS DOUBLE) AS foreign_net_value
        FROM mart.daily_adjusted daily
        JOIN market.daily_summary summary USING (symbol, trading_date)
        WHERE symbol = $symbol AND trading_date BETWEEN $since AND $until
        ORDER BY trading_date
        """,
        symbol,
        since,
        until,
    )


def candles(
    symbol: str,
    timeframe: Timeframe = "1m",
    since: Day | None = None,
    until: Day | None = None,
    *,
    adjusted: bool = False,
    home: str | Path | None = None,
) -> duckdb.DuckDBPyRelation:
    """One row per bar that had a trade: local_time (start of the bar, UTC+7), open, high, low, close, volume, value.

    Sources: market.candle, mart.daily_adjusted.
    """
    if timeframe not in ("1m", "3m", "5m", "15m", "30m", "1h", "1d"):
        raise ValueError(f"{timeframe!r} is not a timeframe: 1m, 3m, 5m, 15m, 30m, 1h or 1d")
    factor = "coalesce(adjustment_factor, 1)" if adjusted else "1"
    prices = ", ".join(
        f"CAST(candle.{name} AS DOUBLE) * {factor} AS {name}" for name in ("open", "high", "low", "close")
    )
    factors = "LEFT JOIN mart.daily_adjusted USING (symbol, trading_date)" if adjusted else ""
    return _read(
        home,
        f"""
        SELECT local_time, {prices}, volume / {factor} AS volume, CAST(value AS DOUBLE) AS value
        FROM market.candle candle {factors}
        WHERE timeframe = '{timeframe}' AND symbol = $symbol AND trading_date BETWEEN $since AND $until
        ORDER BY opened_at
        """,
        symbol,
        since,
        until,
    )


def symbols(board: str | None = None, *, home: str | Path | None = None) -> list[str]:
    """Symbols that are listed, of all boards or of HOSE, HNX or UPCOM, in order."""
    with connect(home) as catalog:
        rows = catalog.execute(
            """
            SELECT symbol FROM market.security
            WHERE is_listed AND ($board IS NULL OR board = $board) ORDER BY symbol
            """,
            {"board": board},
        ).fetchall()
    return [symbol for (symbol,) in rows]


def _read(
    home: str | Path | None, statement: str, symbol: str, since: Day | None, until: Day | None
) -> duckdb.DuckDBPyRelation:
    catalog = connect(home)
    known = catalog.execute("SELECT symbol FROM market.security").fetchall()
    if (symbol,) not in known:
        near = sorted((name for (name,) in known), key=lambda name: (-_likeness(name, symbol), name))
        raise KeyError(f"there is no symbol {symbol!r}; near it: {', '.join(near[:3])}")
    days = {"since": _day(since, date.min), "until": _day(until, date.max)}
    return catalog.sql(statement, params={"symbol": symbol, **days})


def _day(day: Day | None, otherwise: date) -> date:
    return otherwise if day is None else day if isinstance(day, date) else date.fromisoformat(day)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()
