"""Every figure of mart.session_factor over windows of a symbol's sessions, each window summed from its rows alone.

A window counts the symbol's sessions within 120 days (20 and 60 sessions, streaks) or 395 (120 and 250 sessions), the 52
weeks 364 days before the session.
"""

import math
from bisect import bisect_left
from datetime import date, timedelta
from fractions import Fraction
from statistics import median, stdev

from facts import plain_index
from prices import positive, usable_limits
from published import Home, Row
from references import Adjustment

SHORT, LONG, WEEKS = 120, 395, 364
LONGEST_STEP = 45
YEAR = 250
TIERS = ((100e9, 1), (10e9, 2), (1e9, 3), (0, 4))


class Sessions:
    """Sessions of one symbol in order, cut to windows."""

    def __init__(self, rows: list[Row]):
        self.rows = rows
        self.days = [row["trading_date"] for row in rows]

    def window(self, place: int, days: int, most: int | None = None) -> list[Row]:
        """The last rows up to one of them, it included, that are at most so many days older."""
        begins = bisect_left(self.days, self.days[place] - timedelta(days=days))
        if most is not None:
            begins = max(begins, place - most + 1)
        return self.rows[begins : place + 1]


def session_factors(home: Home, adjustment: Adjustment, variances: dict) -> list[Row]:
    """variances: realised variance by symbol and session, from 1m bars."""
    levels = index_levels(home)
    answered = answers(home)
    reported_days = {row["trading_date"] for row in home.table("market.daily_summary")}
    limits, summaries = home.by_symbol("market.price_limit"), home.by_symbol("market.daily_summary")
    rows: list[Row] = []
    for symbol in limits.keys() | summaries.keys():
        merged = merge(limits.get(symbol, []), summaries.get(symbol, []))
        for row in merged:
            day = row["trading_date"]
            believed = day not in adjustment.glitch_days and (symbol, day) not in adjustment.unadjusted
            row["reference"] = positive(row["ref_price"]) if believed else None
            row["variance"] = variances.get((symbol, day))
            row["VNINDEX"], row["VN30"] = levels.get(("VNINDEX", day)), levels.get(("VN30", day))
            whole_market = ("*", day) in answered or (symbol, day) in answered
            row["is_known"] = row["is_reported"] or (whole_market and day in reported_days)
        closes = closed_sessions(symbol, merged, adjustment)
        parts = [
            liquidity(merged),
            foreign([row for row in merged if row["is_reported"]]),
            limit_streaks([row for row in closes if (row["total_match"] or 0) > 0]),
            returns(symbol, closes, adjustment),
            volatilities(closes),
            ranges(closes),
            betas(closes, "VNINDEX"),
            betas(closes, "VN30"),
        ]
        for row in merged:
            day = row["trading_date"]
            result = EMPTY | {"symbol": symbol, "trading_date": day, "board": row["board"]}
            for part in parts:
                result |= part.get(day, {})
            rows.append(result)
    return rows


def merge(limits: list[Row], summaries: list[Row]) -> list[Row]:
    by_day: dict[date, Row] = {}
    for summary in summaries:
        by_day[summary["trading_date"]] = summary | {"is_reported": True, "close": positive(summary["close"])}
    for limit in limits:
        day = limit["trading_date"]
        ceiling, floor = usable_limits(limit)
        row = by_day.get(day, {"trading_date": day, "is_reported": False})
        by_day[day] = row | {
            "board": limit["exchange"].upper(), "ref_price": limit["ref_price"], "ceiling": ceiling, "floor": floor
        }
    missing = dict.fromkeys(("board", "ref_price", "ceiling", "floor", *SUMMARY))
    return [missing | by_day[day] for day in sorted(by_day)]


SUMMARY = (
    "close", "high", "low", "total_match", "total_match_value", "total_deal", "total_deal_value", "total_foreign_buy",
    "total_foreign_buy_value", "total_foreign_sell", "total_foreign_sell_value",
)  # fmt: skip


def index_levels(home: Home) -> dict[tuple[str, date], float]:
    return {
        (plain_index(row["index_code"]), row["trading_date"]): float(row["index_value"])
        for row in home.table("market.index_summary")
        if plain_index(row["index_code"]) in ("VNINDEX", "VN30") and (row["index_value"] or 0) > 0
    }


def answers(home: Home) -> set[tuple[str, date]]:
    return {
        (row["key"], row["window_from"])
        for row in home.table("ops.coverage")
        if row["dataset"] == "securitiesSummary" and row["state"] in ("complete", "empty")
    }


def closed_sessions(symbol: str, merged: list[Row], adjustment: Adjustment) -> list[Row]:
    """Sessions with a close, each with its return from the one before, corporate actions taken out."""
    closes = [row for row in merged if row["close"] is not None]
    first = closes[0]["trading_date"] if closes else None
    for place, row in enumerate(closes):
        row["level"] = adjustment.between(symbol, first, row["trading_date"])
        row["step"] = row["is_near"] = None
        for index in ("VNINDEX", "VN30"):
            row[f"{index} step"] = None
        if place:
            before = closes[place - 1]
            row["step"] = change(symbol, before, row, adjustment)
            row["is_near"] = (row["trading_date"] - before["trading_date"]).days <= LONGEST_STEP
            for index in ("VNINDEX", "VN30"):
                if row[index] and before[index]:
                    row[f"{index} step"] = row[index] / before[index] - 1
    return closes


def change(symbol: str, earlier: Row, later: Row, adjustment: Adjustment) -> float:
    factor = adjustment.between(symbol, earlier["trading_date"], later["trading_date"])
    return float(later["close"]) / (float(earlier["close"]) * factor) - 1


def liquidity(merged: list[Row]) -> dict[date, Row]:
    for row in merged:
        known = row["is_known"]
        row["volume"] = (row["total_match"] or 0) if known else None
        row["value"] = 0 if row["volume"] == 0 else row["total_match_value"]
        row["deal volume"] = (row["total_deal"] or 0) if known else None
        row["deal value"] = 0 if row["deal volume"] == 0 else row["total_deal_value"]
    sessions, result = Sessions(merged), {}
    for place, row in enumerate(merged):
        window = sessions.window(place, SHORT, 20)
        figures = {
            name: [one[name] for one in window if one[name] is not None]
            for name in ("volume", "value", "deal volume", "deal value")
        }
        known = len(figures["volume"])
        middle = float(median(figures["value"])) if figures["value"] else None
        result[row["trading_date"]] = {
            "is_known": row["is_known"],
            "sessions_20": known,
            "zero_trade_days_20": figures["volume"].count(0),
            "mean_volume_20": mean(figures["volume"]),
            "median_volume_20": float(median(figures["volume"])) if known else None,
            "mean_value_20": mean(figures["value"]),
            "median_value_20": middle,
            "mean_deal_volume_20": mean(figures["deal volume"]),
            "mean_deal_value_20": mean(figures["deal value"]),
            "tier": None if known < 10 or middle is None else next(tier for least, tier in TIERS if middle >= least),
        }
    return result


def mean(values: list) -> float | None:
    return float(sum(map(Fraction, values)) / len(values)) if values else None


def foreign(reported: list[Row]) -> dict[date, Row]:
    for row in reported:
        idle = not row["total_match"] and not row["total_deal"]
        for name in ("volume", "value"):
            suffix = "_value" if name == "value" else ""
            bought, sold = row[f"total_foreign_buy{suffix}"], row[f"total_foreign_sell{suffix}"]
            known = bought is not None and sold is not None
            row[f"net {name}"] = bought - sold if known else 0 if idle else None
    sessions, result = Sessions(reported), {}
    for place, row in enumerate(reported):
        figures: Row = {"foreign_streak": streak(sessions.window(place, SHORT), lambda one: sign(one["net value"]))}
        for length in (5, 20):
            window = sessions.window(place, SHORT, length)
            for name in ("volume", "value"):
                nets = [one[f"net {name}"] for one in window]
                whole = len(nets) == length and None not in nets
                figures[f"foreign_net_{name}_{length}"] = float(sum(nets)) if whole else None
        result[row["trading_date"]] = figures
    return result


def sign(value) -> int | None:
    return None if value is None else (value > 0) - (value < 0)


def streak(window: list[Row], direction) -> int | None:
    """How many rows up to the last one have its direction, with its sign."""
    last = direction(window[-1])
    if not last:
        return last
    length = 0
    for row in reversed(window):
        if direction(row) != last:
            break
        length += 1
    return last * length


def limit_streaks(traded: list[Row]) -> dict[date, Row]:
    def direction(row: Row) -> int | None:
        if row["ceiling"] is None:
            return None
        return 1 if row["close"] >= row["ceiling"] else -1 if row["close"] <= row["floor"] else 0

    sessions = Sessions(traded)
    return {
        row["trading_date"]: {"limit_streak": streak(sessions.window(place, SHORT), direction)}
        for place, row in enumerate(traded)
    }


def returns(symbol: str, closes: list[Row], adjustment: Adjustment) -> dict[date, Row]:
    sessions, result = Sessions(closes), {}
    for place, row in enumerate(closes):
        window = sessions.window(place, LONG)
        figures: Row = {"close": row["close"], "ref_price": row["reference"]}
        for length in (1, 5, 20, 60, 120, 250):
            name = "close_return_1" if length == 1 else f"return_{length}"
            reaches = len(window) > length
            figures[name] = change(symbol, window[-1 - length], row, adjustment) if reaches else None
        reference = row["reference"]
        figures["return_1"] = float(row["close"]) / float(reference) - 1 if reference else figures["close_return_1"]
        result[row["trading_date"]] = figures
    return result


def volatilities(closes: list[Row]) -> dict[date, Row]:
    for row in closes:
        row["log return"] = math.log1p(row["step"]) if row["step"] is not None and row["is_near"] else None
        high, low = row["high"], row["low"]
        ranged = (row["total_match"] or 0) > 0 and (low or 0) > 0 and high is not None and high >= low
        row["squared range"] = math.log(float(high) / float(low)) ** 2 if ranged else None
    sessions, result = Sessions(closes), {}
    for place, row in enumerate(closes):
        figures: Row = {}
        for length, least in ((20, 15), (60, 45)):
            window = sessions.window(place, SHORT, length)
            steps, squares, variances = (
                [one[name] for one in window if one[name] is not None]
                for name in ("log return", "squared range", "variance")
            )
            close = stdev(steps) * math.sqrt(YEAR) if len(steps) >= least else None
            parkinson = intraday = None
            if len(squares) >= least:
                parkinson = math.sqrt(math.fsum(squares) / len(squares) / (4 * math.log(2)) * YEAR)
            if len(variances) >= least:
                intraday = math.sqrt(math.fsum(variances) / len(variances) * YEAR)
            figures |= {
                f"close_volatility_{length}": close,
                f"parkinson_volatility_{length}": parkinson,
                f"intraday_volatility_{length}": intraday,
            }
        result[row["trading_date"]] = figures
    return result


def ranges(closes: list[Row]) -> dict[date, Row]:
    """Prices as of the symbol's first session: what later events change is the same for all of them."""
    for row in closes:
        row["top"] = row["bottom"] = None
        row["plain close"] = float(row["close"]) / row["level"]
        if (row["total_match"] or 0) > 0:
            row["top"] = float(max(filter(None, (row["high"], row["close"])))) / row["level"]
            row["bottom"] = float(min(price for price in (row["low"], row["close"]) if (price or 0) > 0)) / row["level"]
    sessions, result = Sessions(closes), {}
    for place, row in enumerate(closes):
        window = sessions.window(place, WEEKS)
        tops = [one["top"] for one in window if one["top"] is not None]
        bottoms = [one["bottom"] for one in window if one["bottom"] is not None]
        figures: Row = {"sessions_52w": len(tops)}
        if tops:
            figures["from_high_52w"] = row["plain close"] / max(tops) - 1
            figures["from_low_52w"] = row["plain close"] / min(bottoms) - 1
        if row["top"] is not None and len(tops) > 1:
            figures["is_new_high_52w"] = row["top"] > max(tops[:-1]) * (1 + 1e-9)
            figures["is_new_low_52w"] = row["bottom"] < min(bottoms[:-1]) * (1 - 1e-9)
        result[row["trading_date"]] = figures
    return result


def betas(closes: list[Row], index: str) -> dict[date, Row]:
    levelled = [row for row in closes if row[index] is not None]
    for row in levelled:
        own, other = row["step"], row[f"{index} step"]
        usable = row["is_near"] and own is not None and other is not None and own < 1e4 and other < 1e4
        row["pair"] = (own, other) if usable else None
    sessions, result = Sessions(levelled), {}
    name = index.lower()
    for place, row in enumerate(levelled):
        figures: Row = {}
        for length in (120, 250):
            pairs = [one["pair"] for one in sessions.window(place, LONG, length) if one["pair"]]
            beta, correlation = line(pairs) if len(pairs) >= length // 2 else (None, None)
            figures |= {
                f"beta_{name}_{length}": beta,
                f"correlation_{name}_{length}": correlation,
                f"pairs_{name}_{length}": len(pairs),
            }
        result[row["trading_date"]] = figures
    return result


def line(pairs: list[tuple[float, float]]) -> tuple[float | None, float | None]:
    """Slope of the first on the second, and their correlation; sums of squares below 1e-12 are rounding."""
    own_mean = math.fsum(own for own, _ in pairs) / len(pairs)
    other_mean = math.fsum(other for _, other in pairs) / len(pairs)
    both = math.fsum((own - own_mean) * (other - other_mean) for own, other in pairs)
    own_squares = math.fsum((own - own_mean) ** 2 for own, _ in pairs)
    other_squares = math.fsum((other - other_mean) ** 2 for _, other in pairs)
    if other_squares <= 1e-12:
        return None, None
    moved = own_squares > 1e-12
    return both / other_squares, both / math.sqrt(own_squares * other_squares) if moved else None


EMPTY: Row = dict.fromkeys(
    (
        *("close", "ref_price", "return_1", "close_return_1"),
        *(f"return_{length}" for length in (5, 20, 60, 120, 250)),
        *(f"{name}_volatility_{length}" for name in ("close", "parkinson", "intraday") for length in (20, 60)),
        *("from_high_52w", "from_low_52w", "is_new_high_52w", "is_new_low_52w", "sessions_52w"),
        *("is_known", "sessions_20", "zero_trade_days_20", "mean_volume_20", "median_volume_20", "mean_value_20"),
        *("median_value_20", "mean_deal_volume_20", "mean_deal_value_20", "tier", "foreign_streak", "limit_streak"),
        *(f"foreign_net_{name}_{length}" for name in ("volume", "value") for length in (5, 20)),
        *(
            f"{name}_{index}_{length}"
            for name in ("beta", "correlation", "pairs")
            for index in ("vnindex", "vn30")
            for length in (120, 250)
        ),
    )
)
