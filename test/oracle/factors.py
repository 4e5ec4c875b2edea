"""Views over mart.session_factor: returns, volatility, range, liquidity, foreign flow, beta."""

import math
from collections import defaultdict
from datetime import date, timedelta

from compare import Recomputation
from facts import board_of_index, kind_of
from instruments import Validity
from prices import quotient, times
from published import Home, Row
from references import Adjustment

NAMES = ("symbol", "trading_date")
# Their returns are whole numbers of 1e-12, about 1e-10 of a day's move: near 0 they have no more digits.
LINES = {
    f"{name}{index}_{length}": 1e-10
    for name in ("beta", "correlation")
    for index in ("", "_vnindex", "_vn30")
    for length in (120, 250)
}


def pick(row: Row, *names: str) -> Row:
    return {name: row[name] for name in (*NAMES, *names)} | {"kind": kind_of(row["symbol"])}


def daily_return(factors: list[Row]) -> list[Row]:
    names = ("close", "ref_price", "return_1", "close_return_1", *(f"return_{n}" for n in (5, 20, 60, 120, 250)))
    return [
        pick(row, *names)
        | {"log_return_1": math.log1p(row["return_1"]) if (row["return_1"] or 0) > -1 and row["return_1"] is not None else None}
        for row in factors
        if row["close"] is not None
    ]


def realised_volatility(factors: list[Row]) -> list[Row]:
    names = [f"{name}_volatility_{length}" for name in ("close", "parkinson", "intraday") for length in (20, 60)]
    return [pick(row, *names) for row in factors if row["close"] is not None]


def high_low_52w(home: Home, factors: list[Row], adjustment: Adjustment) -> list[Row]:
    """High and low in adjusted prices; between equal prices of different factors nothing is lost but rounding."""
    traded = {
        symbol: [
            (
                row["trading_date"],
                float(max(filter(None, (row["high"], row["close"])))) * adjustment.factor(symbol, row["trading_date"]),
                float(min(price for price in (row["low"], row["close"]) if (price or 0) > 0))
                * adjustment.factor(symbol, row["trading_date"]),
            )
            for row in rows
            if (row["close"] or 0) > 0 and (row["total_match"] or 0) > 0
        ]
        for symbol, rows in home.by_symbol("market.daily_summary").items()
    }
    result = []
    for row in factors:
        if row["close"] is None:
            continue
        day = row["trading_date"]
        window = [one for one in traded[row["symbol"]] if day - timedelta(days=364) <= one[0] <= day]
        result.append(
            pick(row, "close")
            | {
                "close_adjusted": times(row["close"], adjustment.factor(row["symbol"], day)),
                "high_52w_adjusted": round(max(high for _, high, _ in window), 6) if window else None,
                "low_52w_adjusted": round(min(low for *_, low in window), 6) if window else None,
                "from_high": row["from_high_52w"],
                "from_low": row["from_low_52w"],
                "is_new_high": row["is_new_high_52w"],
                "is_new_low": row["is_new_low_52w"],
                "sessions": row["sessions_52w"],
            }
        )
    return result


def liquidity(factors: list[Row], shares: Validity) -> list[Row]:
    names = ("sessions_20", "zero_trade_days_20", "mean_volume_20", "median_volume_20", "mean_value_20", "tier",
             "median_value_20", "mean_deal_volume_20", "mean_deal_value_20")  # fmt: skip
    return [pick(row, *names) | {"turnover_20": turnover(row, shares)} for row in factors]


def turnover(row: Row, shares: Validity) -> float | None:
    listed = shares.at(row["symbol"], row["trading_date"])
    return quotient(row["mean_volume_20"], listed["listed_share"]) if listed else None


def foreign_flow(home: Home, factors: list[Row]) -> list[Row]:
    by_key = {(row["symbol"], row["trading_date"]): row for row in factors}
    given = ("total_foreign_buy", "total_foreign_buy_value", "total_foreign_sell", "total_foreign_sell_value",
             "total_match_value", "total_deal_value")  # fmt: skip
    rows = []
    for day in home.table("market.daily_summary"):
        factor = by_key[day["symbol"], day["trading_date"]]
        bought, sold = day["total_foreign_buy_value"], day["total_foreign_sell_value"]
        matched, dealt = day["total_match_value"], day["total_deal_value"]
        idle = 0 if not day["total_match"] and not day["total_deal"] else None
        volumes = (day["total_foreign_buy"], day["total_foreign_sell"])
        row = pick(day, *given)
        row["net_volume"] = volumes[0] - volumes[1] if None not in volumes else idle
        row["net_value"] = bought - sold if None not in (bought, sold) else idle
        least = most = row["net_value"] if idle == 0 else None
        is_whole = None not in (bought, sold, matched, dealt)
        if is_whole:
            least = max(bought - dealt, 0) - min(sold, matched)
            most = min(bought, matched) - max(sold - dealt, 0)
        room, left = day["total_foreign_room"], day["remain_foreign_room"]
        row |= {
            "matched_net_value_least": least,
            "matched_net_value_most": most,
            "value_share": quotient(bought + sold, 2 * (matched + dealt)) if is_whole else None,
            "room_used": (room - left) / room if (room or 0) > 0 and left is not None else None,
            "streak": factor["foreign_streak"],
        }
        for name in ("net_volume_5", "net_value_5", "net_volume_20", "net_value_20"):
            row[name] = factor[f"foreign_{name}"]
        rows.append(row)
    return rows


def beta_correlation(factors: list[Row]) -> list[Row]:
    return [
        pick(row)
        | {"index_code": index}
        | {
            f"{name}_{length}": row[f"{name}_{index.lower()}_{length}"]
            for name in ("beta", "correlation", "pairs")
            for length in (120, 250)
        }
        for row in factors
        for index in ("VNINDEX", "VN30")
        if row[f"pairs_{index.lower()}_120"] is not None
    ]


def daily_factor(factors: list[Row], adjustment: Adjustment, shares: Validity, proprietary: list[Row]) -> list[Row]:
    flows: dict[tuple[str, date], Row] = defaultdict(dict)
    for row in proprietary:
        board = board_of_index(row["index_code"])
        if board:
            for length in (5, 20):
                known = [one for one in (flows[board, row["trading_date"]].get(length), row[f"net_value_{length}"]) if one is not None]
                flows[board, row["trading_date"]][length] = max(known, default=None)
    rows = []
    for row in factors:
        symbol, day = row["symbol"], row["trading_date"]
        listed = shares.at(symbol, day)
        count = listed["listed_share"] if listed else None
        flow = flows.get((row["board"], day), {})
        rows.append(
            row
            | {
                "kind": kind_of(symbol),
                "close_adjusted": times(row["close"], adjustment.factor(symbol, day)),
                "listed_share": count,
                "listed_share_from": listed["reported_from"] if listed else None,
                "market_cap": times(row["close"], count) if count else None,
                "turnover_20": turnover(row, shares),
                "board_proprietary_net_value_5": flow.get(5),
                "board_proprietary_net_value_20": flow.get(20),
            }
        )
    return rows


def views(
    home: Home, factors: list[Row], adjustment: Adjustment, shares: Validity, proprietary: list[Row]
) -> list[Recomputation]:
    return [
        Recomputation("mart.session_factor", NAMES, factors, LINES),
        Recomputation("mart.daily_return", NAMES, daily_return(factors)),
        Recomputation("mart.realised_volatility", NAMES, realised_volatility(factors)),
        # Both are rounded to 1e-6 points or VND, which may fall to either side.
        Recomputation(
            "mart.high_low_52w",
            NAMES,
            high_low_52w(home, factors, adjustment),
            {"high_52w_adjusted": 1e-6, "low_52w_adjusted": 1e-6},
        ),
        Recomputation("mart.liquidity", NAMES, liquidity(factors, shares)),
        Recomputation("mart.foreign_flow", NAMES, foreign_flow(home, factors)),
        Recomputation("mart.beta_correlation", (*NAMES, "index_code"), beta_correlation(factors), LINES),
        Recomputation("mart.daily_factor", NAMES, daily_factor(factors, adjustment, shares, proprietary), LINES),
    ]
