"""Bars of weeks and months, and indicators: one bar after the other, as their inventors wrote them down."""

import math
import statistics
from collections import defaultdict
from datetime import UTC, datetime, timedelta

from compare import Recomputation
from facts import contract_of
from prices import number
from published import Home, Row
from references import Adjustment

PRICES = ("open", "high", "low", "close")
SMA, EMA, RSI, BAND, WIDTH = 20, 26, 14, 10, 2


def period_of(day, timeframe: str):
    if timeframe == "1w":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if timeframe == "1M" else day


def long_bars(home: Home, adjustment: Adjustment, timeframe: str) -> list[Row]:
    periods: dict[tuple, list[Row]] = defaultdict(list)
    for symbol, sessions in home.by_symbol("market.daily_summary").items():
        for session in sessions:
            if session["close"] and session["total_match"] != 0:  # what was not traded has no bar
                periods[symbol, period_of(session["trading_date"], timeframe)].append(session)
    rows = []
    for (symbol, _), sessions in periods.items():
        first, last = sessions[0]["trading_date"], sessions[-1]["trading_date"]
        factors = [adjustment.factor(symbol, session["trading_date"]) for session in sessions]
        row = {"symbol": symbol, "timeframe": timeframe, "trading_date": first, "last_session": last, "sessions": len(sessions)}
        begins = period_of(first, timeframe)
        row["opened_at"] = datetime(begins.year, begins.month, begins.day, tzinfo=UTC) - timedelta(hours=7)
        row |= merged(sessions, [1] * len(sessions)) | {
            f"{name}_adjusted": value
            for name, value in merged([{name: number(session[name]) for name in PRICES} for session in sessions], factors).items()
        }
        row["volume"] = sum(session["total_match"] for session in sessions)
        row["value"] = sum(session["total_match_value"] for session in sessions)
        row["volume_adjusted"] = math.fsum(session["total_match"] / factor for session, factor in zip(sessions, factors, strict=True))
        rows.append(row)
    return rows


def merged(sessions: list[Row], factors: list) -> Row:
    adjusted = [{name: session[name] * factor for name in PRICES} for session, factor in zip(sessions, factors, strict=True)]
    highest, lowest = max(session["high"] for session in adjusted), min(session["low"] for session in adjusted)
    return {"open": adjusted[0]["open"], "high": highest, "low": lowest, "close": adjusted[-1]["close"]}


def minute_bars(home: Home, adjustment: Adjustment) -> list[Row]:
    rows = []
    for candle in home.table("market.candle"):
        if candle["timeframe"] == "1m":
            row = {name: candle[name] for name in ("symbol", "timeframe", "trading_date", "opened_at", "volume", "value", *PRICES)}
            factor = adjustment.factor(row["symbol"], row["trading_date"])
            row |= {"last_session": row["trading_date"], "sessions": 1, "volume_adjusted": row["volume"] / factor}
            rows.append(row | {f"{name}_adjusted": float(row[name]) * factor for name in PRICES})
    return rows


def indicators(bars: list[Row]) -> list[Row]:
    of_symbol: dict[str, list[Row]] = defaultdict(list)
    for bar in bars:
        of_symbol[bar["symbol"]].append(bar)
    rows = []
    for symbol, own in of_symbol.items():
        own.sort(key=lambda bar: bar["opened_at"])
        rows += drawn(symbol, own)
    return rows


def drawn(symbol: str, bars: list[Row]) -> list[Row]:
    prices = [float(bar["close"]) for bar in bars]
    changes = [later - earlier for earlier, later in zip(prices, prices[1:], strict=False)]
    multiplier = 100_000 if contract_of(symbol) else 1
    rows, ema, gain, loss, session = [], None, None, None, None
    volume = value = 0.0
    for index, bar in enumerate(bars):
        count, price = index + 1, prices[index]
        if count == EMA:
            ema = math.fsum(prices[:EMA]) / EMA
        elif count > EMA:
            ema += (price - ema) * 2 / (EMA + 1)
        if count == RSI + 1:
            gain = math.fsum(max(change, 0) for change in changes[:RSI]) / RSI
            loss = math.fsum(max(-change, 0) for change in changes[:RSI]) / RSI
        elif count > RSI + 1:
            change = changes[index - 1]
            gain, loss = (gain * (RSI - 1) + max(change, 0)) / RSI, (loss * (RSI - 1) + max(-change, 0)) / RSI
        if bar["trading_date"] != session:
            session, volume, value = bar["trading_date"], 0.0, 0.0
        volume, value = volume + float(bar["volume"]), value + float(bar["value"])
        moved = None if gain is None else gain + loss
        row = {name: bar[name] for name in ("symbol", "trading_date", "opened_at")} | {"bar_number": count, "ema": ema}
        row["sma"] = math.fsum(prices[count - SMA : count]) / SMA if count >= SMA else None
        row["rsi"] = 100 * gain / moved if moved else None
        row |= dict.fromkeys(("band_middle", "band_upper", "band_lower"))
        if count >= BAND:
            last = prices[count - BAND : count]
            middle, half = math.fsum(last) / BAND, WIDTH * statistics.pstdev(last)
            row |= {"band_middle": middle, "band_upper": middle + half, "band_lower": middle - half}
        row["vwap"] = value / (volume * multiplier) if volume else None
        rows.append(row)
    return rows


def views(home: Home, adjustment: Adjustment):
    opened = ("symbol", "opened_at")
    for timeframe in ("1d", "1w", "1M"):
        yield Recomputation(f"mart.bars_of('{timeframe}')", opened, long_bars(home, adjustment, timeframe))
    minutes = minute_bars(home, adjustment)
    yield Recomputation("mart.bars_of('1m')", opened, minutes)
    lengths = f"sma_length := {SMA}, ema_length := {EMA}, rsi_length := {RSI}, band_length := {BAND}, band_width := {WIDTH}"
    call = f"(WITH bar AS (FROM market.candle WHERE timeframe = '1m') FROM mart.indicators('bar', {lengths}))"
    # A deviation near 0 is the root of a difference of squares.
    apart = {"rsi": 1e-6, "band_upper": 1e-3, "band_lower": 1e-3}
    yield Recomputation(call, opened, indicators(minutes), apart)
