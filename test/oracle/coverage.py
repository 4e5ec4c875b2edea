"""Views of what is stored, and the state of tables at an instant."""

from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta

from compare import Recomputation
from facts import closed_days
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


def as_known_on(home: Home, relation: str, instant: datetime) -> list[Row]:
    """Rows as they were: nothing of this home was changed since it was first loaded."""
    if home.table("market.revision"):
        raise ValueError("market.revision has rows: rows as they stood before a change are not recomputed")
    return [row for row in home.table(relation) if row["loaded_at"] <= instant]


def views(home: Home):
    yield Recomputation("mart.coverage", ("dataset", "timeframe", "trading_date"), coverage(home))
    keys = {
        "daily_summary": ("symbol", "trading_date"),
        "price_limit": ("symbol", "trading_date"),
        "index_summary": ("index_code", "trading_date"),
        "corporate_action": ("symbol", "ex_date", "kind"),
    }
    for relation, key in keys.items():
        arrivals = sorted(row["loaded_at"] for row in home.table(f"market.{relation}"))
        if not arrivals:
            continue
        instant = arrivals[len(arrivals) // 2].astimezone(UTC)
        rows = as_known_on(home, f"market.{relation}", instant)
        yield Recomputation(f"mart.{relation}_as_known_on('{instant.isoformat()}')", key, rows)
