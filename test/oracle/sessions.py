"""Tables of the exchanges' time: phases, their minutes, closed days. From data/reference and the headers of the views."""

import csv
from datetime import date, time, timedelta

from bars import Phase
from compare import Recomputation
from facts import REFERENCE, listed_closed_days, trading_phases
from published import Row

LAST_DAY = date(9999, 12, 31)


def rows_of(name: str) -> list[Row]:
    with (REFERENCE / name).open() as lines:
        return list(csv.DictReader(lines))


def phases() -> list[Row]:
    return [
        row
        | {"starts": time.fromisoformat(row["starts"]), "ends": time.fromisoformat(row["ends"])}
        | {"valid_from": date.fromisoformat(row["valid_from"])}
        | {"valid_to": date.fromisoformat(row["valid_to"]) if row["valid_to"] else LAST_DAY}
        for row in rows_of("sessions.csv")
    ]


def closed() -> list[Row]:
    return listed_closed_days()


def minutes() -> list[Row]:
    """Every minute in which a bar may stand, for each span of days over which no phase of the board changes."""
    rows = []
    traded = [row for row in trading_phases() if row["phase"] != "deal"]
    for board in {row["board"] for row in traded}:
        own = [row for row in traded if row["board"] == board]
        starts = {row["valid_from"] for row in own}
        starts |= {row["valid_to"] + timedelta(days=1) for row in own if row["valid_to"] < LAST_DAY}
        bounds = sorted(starts)
        for valid_from, after in zip(bounds, [*bounds[1:], None], strict=True):
            valid_to = after - timedelta(days=1) if after else LAST_DAY
            valid = [row for row in own if row["valid_from"] <= valid_from <= row["valid_to"]]
            key = {"board": board, "valid_from": valid_from, "valid_to": valid_to}
            rows += [key | row for row in board_minutes(valid)]
    return rows


def board_minutes(valid: list[Row]) -> list[Row]:
    by_minute: dict[int, Row] = {}
    opening = next((row for row in valid if row["phase"] == "ato"), None)
    for row in sorted(valid, key=lambda row: row["starts"]):
        phase = Phase(row["phase"], row["starts"], row["ends"])
        for minute in range(phase.first, phase.last + 1):
            by_minute[minute] = {
                "minute": minute,
                "phase": phase.name,
                "anchor": phase.label(phase.starts, 1) if phase.is_continuous else phase.label(minute, 1),
                "last_minute": phase.ends - 1 if phase.is_continuous else None,
                "is_regular": minute < phase.ends if phase.is_continuous else row["phase"] == "atc" and minute == phase.ends,
            } | auction_at(opening, row, minute)
    return list(by_minute.values())


def auction_at(opening: Row | None, phase: Row, minute: int) -> Row:
    """The opening auction matches where trading begins, others in the minute where they end."""
    if phase["phase"] == "atc":
        return {"auction": "atc", "auction_minute": phase["ends"]}
    if opening and opening["starts"] <= minute <= opening["ends"]:
        return {"auction": "ato", "auction_minute": opening["ends"]}
    return {"auction": None, "auction_minute": None}


def whole_days(inside: list[Row]) -> list[Row]:
    """The minutes of trading, and all others of the day with the minute where their gap begins."""
    by_key: dict[tuple, dict[int, Row]] = {}
    for row in inside:
        by_key.setdefault((row["board"], row["valid_from"], row["valid_to"]), {})[row["minute"]] = row
    nothing = dict.fromkeys(("anchor", "last_minute", "auction", "auction_minute")) | {"phase": "outside", "is_regular": False}
    rows = []
    # Days before the first hours of a board that are known.
    for board in {board for board, *_ in by_key}:
        first = min(valid_from for each, valid_from, _ in by_key if each == board)
        by_key[board, date.min, first - timedelta(days=1)] = {}
    for (board, valid_from, valid_to), own in by_key.items():
        for minute in range(24 * 60):
            key = {"board": board, "valid_from": valid_from, "valid_to": valid_to, "minute": minute}
            gap_starts = max((one + 1 for one in own if one < minute), default=0)
            rows.append(own[minute] | {"gap_starts": None} if minute in own else key | nothing | {"gap_starts": gap_starts})
    return rows


def views() -> list[Recomputation]:
    inside = minutes()
    key = ("board", "valid_from", "minute")
    return [
        Recomputation("mart.trading_phase", ("board", "phase", "starts", "valid_from"), phases()),
        Recomputation("mart.closed_day", ("day",), closed()),
        Recomputation("mart.trading_minute", key, inside),
        Recomputation("mart.day_minute", key, whole_days(inside)),
    ]
