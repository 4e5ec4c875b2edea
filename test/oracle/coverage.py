"""Views of what is stored."""

from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta

from compare import Recomputation
from facts import closed_days, exchange_time
from published import Home, Row

STATES = ("complete", "empty", "incomplete", "refused", "imported")
WHOLE_MARKET = ("securitiesSummary", "masterdata")


def coverage(home: Home) -> list[Row]:
    windows: dict[tuple, list[Row]] = defaultdict(list)
    for row in home.table("ops.coverage"):
        windows[row["dataset"], row["timeframe"] or "", row["window_from"]].append(row)
    rows = []
    for (dataset, timeframe, day), own in windows.items():
        states = Counter(row["state"] for row in own)
        counts = [row["row_count"] for row in own if row["row_count"] is not None]
        expiries = [row["expires_on"] for row in own if row["expires_on"] is not None]
        rows.append(
            {"dataset": dataset, "timeframe": timeframe, "trading_date": day, "windows": len(own), "is_missing": False}
            | {state: states[state] for state in STATES}
            | {"row_count": sum(counts) if counts else None, "expires_on": min(expiries, default=None)}
        )
    stored: dict[tuple, list[date]] = defaultdict(list)
    for row in rows:
        if row["complete"] + row["imported"] > 0:
            stored[row["dataset"], row["timeframe"]].append(row["trading_date"])
    learned, closed = learned_days(home, stored), closed_days()
    for (dataset, timeframe), days in stored.items():
        day = min(days)
        while day < max(days):
            known = (dataset, timeframe, day) in windows or day in learned or day in closed
            if not known and day.isoweekday() <= 5:
                rows.append(
                    {"dataset": dataset, "timeframe": timeframe, "trading_date": day, "windows": 0, "is_missing": True}
                    | dict.fromkeys(STATES, 0)
                    | {"row_count": 0, "expires_on": None}
                )
            day += timedelta(days=1)
    return rows


def learned_days(home: Home, stored: dict[tuple, list[date]]) -> set[date]:
    """Nothing for the whole market, no rows of any other dataset, and a later session has some."""
    empty, answered = set(), set()
    for row in home.table("ops.coverage"):
        if row["dataset"] in WHOLE_MARKET and row["key"] == "*" and row["state"] == "empty":
            empty.add(row["window_from"])
        if row["dataset"] in (*WHOLE_MARKET, "indexSummary", "ohlc"):
            if row["state"] in ("complete", "incomplete", "imported"):
                answered.add(row["window_from"])
    latest = max(
        (max(days) for (dataset, _), days in stored.items() if dataset == "securitiesSummary"), default=date.min
    )
    return {day for day in empty - answered if day < latest}


def freshness(home: Home, windows: list[Row]) -> list[Row]:
    """What is stored of each dataset, and the first day on which something of it is no longer served."""
    today = exchange_time(datetime.now(UTC)).date()
    pages = {row["request_id"]: row["received_at"] for row in home.table("ops.request")}
    received, expiries, terms = defaultdict(list), defaultdict(list), {}
    for row in home.table("ops.coverage"):
        key = (row["dataset"], row["timeframe"] or "")
        if row["request_id"] in pages:
            received[key].append(pages[row["request_id"]])
        if row["expires_on"]:
            term = row["expires_on"] - row["window_from"]
            terms[key] = max(terms.get(key, term), term)
            if row["state"] == "incomplete":
                expiries[key].append(row["expires_on"])
    rows = []
    for key in {(row["dataset"], row["timeframe"]) for row in windows}:
        own = [row for row in windows if (row["dataset"], row["timeframe"]) == key]
        stored = [row["trading_date"] for row in own if row["complete"] + row["imported"] > 0]
        missing = [row["trading_date"] for row in own if row["is_missing"]]
        ends = expiries[key] + [day + terms[key] for day in missing if key in terms]
        next_end = min((day for day in ends if day > today), default=None)
        rows.append(
            {
                "dataset": key[0],
                "timeframe": key[1],
                "first_session": min(stored, default=None),
                "latest_session": max(stored, default=None),
                "sessions_held": len(stored),
                "sessions_missing": len(missing),
                "sessions_incomplete": sum(row["incomplete"] > 0 for row in own),
                "latest_received_at": max(received[key], default=None),
                "latest_published_at": max((row["published_at"] for row in home.table("ops.publication")), default=None),
                "next_expires_on": next_end,
                "days_to_next_expiry": (next_end - today).days if next_end else None,
            }
        )
    return rows


def views(home: Home):
    windows = coverage(home)
    yield Recomputation("mart.coverage", ("dataset", "timeframe", "trading_date"), windows)
    yield Recomputation("mart.freshness", ("dataset", "timeframe"), freshness(home, windows))
