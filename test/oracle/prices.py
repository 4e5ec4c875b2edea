"""Views of single sessions: prices, limits, gaps, order flow."""

from compare import Recomputation
from facts import kind_of
from published import Home, Row
from references import Adjustment

PRICES = ("open", "high", "low", "close", "average", "settlement_price")


def positive(value):
    return value if value is not None and value > 0 else None


def number(value) -> float | None:
    return None if value is None else float(value)


def times(value, factor: float) -> float | None:
    return None if value is None else float(value) * factor


def quotient(dividend, divisor) -> float | None:
    return None if dividend is None or not divisor else float(dividend) / float(divisor)


def limits_of(home: Home) -> dict:
    return {(row["symbol"], row["trading_date"]): row for row in home.table("market.price_limit")}


def daily(home: Home) -> list[Row]:
    limits = limits_of(home)
    rows = []
    for summary in home.table("market.daily_summary"):
        limit = limits.get((summary["symbol"], summary["trading_date"]))
        rows.append(
            {name: value for name, value in summary.items() if name not in ("request_id", "loaded_at")}
            | {
                "kind": kind_of(summary["symbol"]),
                "board": limit["exchange"].upper() if limit else None,
                "ref_price": limit["ref_price"] if limit else None,
                "ceiling": limit["ceiling"] if limit else None,
                "floor": limit["floor"] if limit else None,
            }
        )
    return rows


def daily_adjusted(home: Home, adjustment: Adjustment) -> list[Row]:
    rows = []
    for summary in home.table("market.daily_summary"):
        symbol, day = summary["symbol"], summary["trading_date"]
        factor, known_from = adjustment.factor(symbol, day), adjustment.known_from.get(symbol)
        rows.append(
            {name: summary[name] for name in ("symbol", "trading_date", "total_match", "total_match_value", *PRICES)}
            | {f"{name}_adjusted": times(summary[name], factor) for name in PRICES}
            | {
                "adjustment_factor": factor,
                "total_match_adjusted": quotient(summary["total_match"], factor),
                "is_chain_known": known_from is None or day >= known_from,
                "chain_known_from": known_from,
            }
        )
    return rows


def daily_adjusted_by(home: Home, adjustment: Adjustment, price_events: str, volume_events: str) -> list[Row]:
    rows = []
    columns = {"all": "cumulative_factor", "share": "cumulative_share_factor"}
    for summary in home.table("market.daily_summary"):
        symbol, day = summary["symbol"], summary["trading_date"]
        event, known_from = adjustment.next_event(symbol, day), adjustment.known_from.get(symbol)
        price = event[columns[price_events]] if event else 1.0
        volume = event[columns[volume_events]] if event else 1.0
        names = ("open", "high", "low", "close")
        rows.append(
            {name: summary[name] for name in ("symbol", "trading_date", "total_match", *names)}
            | {f"{name}_adjusted": times(summary[name], price) for name in names}
            | {
                "price_factor": price,
                "volume_factor": volume,
                "total_match_adjusted": quotient(summary["total_match"], volume),
                "are_kinds_known": event["are_kinds_known"] if event else True,
                "is_chain_known": known_from is None or day >= known_from,
                "chain_known_from": known_from,
            }
        )
    return rows


def gap_open(days: list[Row], adjustment: Adjustment) -> list[Row]:
    rows = []
    for day in days:
        reference = positive(day["ref_price"]) if day["trading_date"] not in adjustment.glitch_days else None
        opened = day["open"] if (day["total_match"] or 0) > 0 and (day["open"] or 0) > 0 else None
        row = {name: day[name] for name in ("symbol", "trading_date", "kind", "open", "high", "low", "close")}
        row |= {"ref_price": reference, "gap": None, "direction": None, "is_filled": None}
        if reference is not None and opened is not None:
            row["gap"] = float(opened) / float(reference) - 1
            row["direction"] = "up" if opened > reference else "down" if opened < reference else "none"
            if opened > reference:
                row["is_filled"] = day["low"] <= reference
            elif opened < reference:
                row["is_filled"] = day["high"] >= reference
        rows.append(row)
    return rows


def limit_hit(days: list[Row], streaks: dict) -> list[Row]:
    rows = []
    for day in days:
        if not (day["total_match"] or 0) > 0 or not (day["close"] or 0) > 0:
            continue
        ceiling, floor = usable_limits(day)
        close = day["close"]
        top = close if day["high"] is None else max(day["high"], close)
        bottom = close if positive(day["low"]) is None else min(day["low"], close)
        known = ceiling is not None
        rows.append(
            {name: day[name] for name in ("symbol", "trading_date", "kind", "high", "low", "close")}
            | {
                "ceiling": ceiling,
                "floor": floor,
                "touched_ceiling": top >= ceiling if known else None,
                "closed_at_ceiling": close >= ceiling if known else None,
                "touched_floor": bottom <= floor if known else None,
                "closed_at_floor": close <= floor if known else None,
                "streak": streaks.get((day["symbol"], day["trading_date"])),
            }
        )
    return rows


def usable_limits(row: Row):
    ceiling, floor = row["ceiling"], row["floor"]
    if ceiling is None or floor is None or not ceiling > floor > 0:
        return None, None
    return ceiling, floor


def vwap(home: Home) -> list[Row]:
    rows = []
    for day in home.table("market.daily_summary"):
        kind = kind_of(day["symbol"])
        multiplier = 100_000 if kind == "future" else 1
        volume, value, average = positive(day["total_match"]), positive(day["total_match_value"]), positive(day["average"])
        price = float(value) / float(volume) / multiplier if volume and value else None
        difference = None if price is None or average is None else price - float(average)
        rows.append(
            {name: day[name] for name in ("symbol", "trading_date", "total_match", "total_match_value", "average")}
            | {
                "kind": kind,
                "multiplier": multiplier,
                "vwap": price,
                "difference": difference,
                "relative_difference": None if difference is None else difference / float(average),
            }
        )
    return rows


def deal_share(home: Home) -> list[Row]:
    rows = []
    names = ("total_match", "total_match_value", "total_deal", "total_deal_value")
    for day in home.table("market.daily_summary"):
        row = {name: day[name] for name in ("symbol", "trading_date", *names)} | {"kind": kind_of(day["symbol"])}
        for share, dealt, matched in (
            ("volume_share", day["total_deal"], day["total_match"]),
            ("value_share", day["total_deal_value"], day["total_match_value"]),
        ):
            row[share] = None if dealt is None or matched is None else quotient(dealt, matched + dealt)
        rows.append(row)
    return rows


def order_imbalance(home: Home) -> list[Row]:
    rows = []
    for day in home.table("market.daily_summary"):
        row = {name: day[name] for name in ("symbol", "trading_date", "total_match")} | {"kind": kind_of(day["symbol"])}
        for side in ("buy", "sell"):
            figures = (day[f"total_{side}"], day[f"total_trade_{side}"])
            volume = orders = None
            if None not in figures and (min(figures) > 0 or (max(figures) == 0 and not day["total_match"])):
                volume, orders = max(figures), min(figures)
            row |= {f"{side}_volume": volume, f"{side}_orders": orders, f"average_{side}_order": quotient(volume, orders)}
        bought, sold = row["buy_volume"], row["sell_volume"]
        both = None not in (bought, sold)
        row["imbalance"] = quotient(bought - sold, bought + sold) if both else None
        rows.append(row)
    return rows


def views(home: Home, adjustment: Adjustment, streaks: dict) -> list[Recomputation]:
    key = ("symbol", "trading_date")
    days = daily(home)
    return [
        Recomputation("mart.daily", key, days),
        Recomputation("mart.daily_adjusted", key, daily_adjusted(home, adjustment)),
        Recomputation(
            "mart.daily_adjusted_by('all', 'share')", key, daily_adjusted_by(home, adjustment, "all", "share")
        ),
        Recomputation(
            "mart.daily_adjusted_by('share', 'all')", key, daily_adjusted_by(home, adjustment, "share", "all")
        ),
        Recomputation("mart.gap_open", key, gap_open(days, adjustment)),
        Recomputation("mart.limit_hit", key, limit_hit(days, streaks)),
        # Prices are cut from values of up to 1e13: their difference has no more digits than these.
        Recomputation("mart.vwap", key, vwap(home), {"difference": 1e-8, "relative_difference": 1e-11}),
        Recomputation("mart.deal_share", key, deal_share(home)),
        Recomputation("mart.order_imbalance", key, order_imbalance(home)),
    ]
