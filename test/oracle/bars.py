"""Views of 1m bars: figures of a session, bars of any length, the filled grid, the profile of a day.

The phases of a day come from data/reference/sessions.csv. Minutes are minutes of the exchange's day.
"""

import math
from collections import defaultdict
from datetime import UTC, date, datetime, time, timedelta
from functools import cache

from compare import Recomputation
from facts import exchange_time, kind_of, trading_board, trading_phases
from prices import quotient
from published import Home, Row

TIMEFRAMES = {"1m": 1, "3m": 3, "5m": 5, "10m": 10, "15m": 15, "30m": 30, "1h": 60, "2h": 120, "4h": 240}


class Phase:
    """One phase of a board's day: which minutes are its own, and where its bars are labelled."""

    def __init__(self, name: str, starts: int, ends: int):
        self.is_continuous = name == "continuous"
        self.name = ("morning" if starts < 720 else "afternoon") if self.is_continuous else name
        self.starts, self.ends = starts, ends
        # Bars are labelled by their start; the minute in which a phase ends has the trades of its very end.
        self.first = starts + 1 if name in ("atc", "plo") else starts
        self.last = ends - 1 if name == "ato" else ends

    def has(self, minute: int) -> bool:
        return self.first <= minute <= self.last

    def label(self, minute: int, length: int) -> int:
        if self.is_continuous:
            return self.starts + (min(minute, self.ends - 1) - self.starts) // length * length
        return {"atc": self.ends, "plo": self.starts + 1}.get(self.name, self.starts)


class Day:
    """The phases of a board on a day."""

    def __init__(self, phases: list[Phase]):
        self.phases = sorted(phases, key=lambda phase: phase.starts)
        self.opening = next((phase for phase in phases if phase.name == "ato"), None)
        self.closing = next((phase for phase in phases if phase.name == "atc"), None)

    def phase(self, minute: int) -> Phase | None:
        """Of two phases that meet in a minute, the later one has it."""
        return next((phase for phase in reversed(self.phases) if phase.has(minute)), None)

    def auction(self, minute: int) -> str | None:
        """The auction whose trades the minute's bar has: the opening one matches where trading begins."""
        phase = self.phase(minute)
        if phase and phase.name == "atc":
            return "atc"
        return "ato" if phase and self.opening and self.opening.starts <= minute <= self.opening.ends else None

    def label(self, minute: int, length: int) -> int:
        phase = self.phase(minute)
        if phase:
            return phase.label(minute, length)
        gap = max((one for one in range(minute) if self.phase(one)), default=-1) + 1
        return max(minute // length * length, gap)

    def slot(self, minute: int, length: int) -> int | None:
        """Where the regular grid has the minute: None where it has no place for it."""
        phase = self.phase(minute)
        if phase is None or phase.name == "plo":
            return None
        if phase.is_continuous:
            return phase.label(minute, length)
        return phase.ends

    def grid(self, length: int) -> dict[int, str]:
        """Slots of continuous trading and the minute in which the closing auction matches."""
        slots: dict[int, str] = {}
        for phase in self.phases:
            if phase.is_continuous:
                for minute in range(phase.starts, phase.ends):
                    slots.setdefault(phase.label(minute, length), phase.name)
            elif phase.name == "atc":
                slots[phase.ends] = "atc"
        return slots


@cache
def day_of(board: str | None, day: date) -> Day:
    return Day(
        [
            Phase(row["phase"], row["starts"], row["ends"])
            for row in trading_phases()
            if row["board"] == board and row["phase"] != "deal" and row["valid_from"] <= day <= row["valid_to"]
        ]
    )


@cache
def label_of(board: str | None, day: date, minute: int, length: int) -> int:
    return day_of(board, day).label(minute, length)


def minute_of(instant: datetime) -> int:
    local = exchange_time(instant)
    return local.hour * 60 + local.minute


def instant_of(day: date, minute: int) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(minutes=minute - 420)


class Bars:
    """1m bars of each symbol and session, oldest first, with the board of the day."""

    def __init__(self, home: Home):
        self.sessions: dict[tuple[str, date], list[Row]] = defaultdict(list)
        for bar in home.table("market.candle"):
            if bar["timeframe"] == "1m":
                self.sessions[bar["symbol"], bar["trading_date"]].append(bar)
        for bars in self.sessions.values():
            bars.sort(key=lambda bar: bar["opened_at"])
        self.boards = {
            (row["symbol"], row["trading_date"]): trading_board(row["symbol"], row["exchange"])
            for row in home.table("market.price_limit")
        }
        self.listed = {row["symbol"]: trading_board(row["symbol"], row["board"]) for row in home.table("market.security")}

    def board(self, symbol: str, day: date) -> str | None:
        return self.boards.get((symbol, day)) or self.listed.get(symbol)


def intraday(bars: Bars) -> list[Row]:
    rows = []
    for (symbol, day), own in bars.sessions.items():
        board = bars.boards.get((symbol, day))
        phases = day_of(board, day)
        volumes: dict[str, list[int]] = defaultdict(list)
        squares, before = [], None
        for bar in own:
            minute = minute_of(bar["opened_at"])
            phase, auction = phases.phase(minute), phases.auction(minute)
            volumes[phase.name if phase else "outside"].append(bar["volume"])
            if auction:
                volumes["in " + auction].append(bar["volume"])
            close, opening = float(bar["close"] or 0), float(bar["open"] or 0)
            if close > 0:
                squares.append(math.log(close / (before or opening or close)) ** 2)
                before = close
        rows.append(
            {
                "symbol": symbol,
                "trading_date": day,
                "board": board,
                "bars": len(own),
                "first_bar_at": own[0]["opened_at"],
                "last_bar_at": own[-1]["opened_at"],
                "volume": total(bar["volume"] for bar in own),
                "value": total(bar["value"] for bar in own),
                "ato_volume": total(volumes["in ato"]),
                "atc_volume": total(volumes["in atc"]),
                "morning_volume": total(volumes["morning"]),
                "afternoon_volume": total(volumes["afternoon"]),
                "realised_variance": math.fsum(squares) if squares else None,
            }
        )
    return rows


def total(values):
    """None where none is known."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def auction_share(sessions: list[Row]) -> list[Row]:
    rows = []
    for session in sessions:
        phases = day_of(session["board"], session["trading_date"])
        row = {name: session[name] for name in ("symbol", "trading_date", "board", "volume")}
        row["kind"] = kind_of(session["symbol"])
        for name, auction in (("ato", phases.opening), ("atc", phases.closing)):
            volume = (session[f"{name}_volume"] or 0) if auction else None
            row |= {f"{name}_volume": volume, f"{name}_share": quotient(volume, session["volume"])}
        rows.append(row)
    return rows


def merged(bars: list[Row]) -> Row:
    def bound(pick, name: str):
        return pick((bar[name] for bar in bars if bar[name] is not None), default=None)

    return {
        "open": next((bar["open"] for bar in bars if bar["open"] is not None), None),
        "high": bound(max, "high"),
        "low": bound(min, "low"),
        "close": next((bar["close"] for bar in reversed(bars) if bar["close"] is not None), None),
        "volume": total(bar["volume"] for bar in bars),
        "value": total(bar["value"] for bar in bars),
    }


def session_bars(bars: Bars, timeframe: str) -> list[Row]:
    rows, length = [], TIMEFRAMES[timeframe]
    for (symbol, day), own in bars.sessions.items():
        board = bars.board(symbol, day)
        phases = day_of(board, day)
        minutes = [minute_of(bar["opened_at"]) for bar in own]
        names = [phase.name if (phase := phases.phase(minute)) else "outside" for minute in minutes]
        auctions = [phases.auction(minute) for minute in minutes]
        groups: dict[int, list[int]] = defaultdict(list)
        for place, minute in enumerate(minutes):
            groups[minute if length == 1 else label_of(board, day, minute, length)].append(place)
        for label, places in groups.items():
            opened_at = instant_of(day, label)
            rows.append(
                merged([own[place] for place in places])
                | {
                    "symbol": symbol,
                    "timeframe": timeframe,
                    "trading_date": day,
                    "opened_at": opened_at,
                    "exchange_time": exchange_time(opened_at),
                    "phase": min(names[place] for place in places),
                    "auction": max((auctions[place] for place in places if auctions[place]), default=None),
                    "bars": len(places),
                }
            )
    return rows


def filled_bars(bars: Bars, timeframe: str) -> list[Row]:
    rows, length = [], TIMEFRAMES[timeframe]
    for (symbol, day), own in bars.sessions.items():
        phases = day_of(bars.board(symbol, day), day)
        groups: dict[int, list[Row]] = defaultdict(list)
        for bar in own:
            slot = phases.slot(minute_of(bar["opened_at"]), length)
            if slot is not None:
                groups[slot].append(bar)
        last = None
        for slot, phase in sorted(phases.grid(length).items()):
            traded = groups.get(slot)
            row = merged(traded) if traded else dict.fromkeys(("open", "high", "low", "close"), last)
            if not traded:
                row |= {"volume": 0, "value": 0}
            elif (row["close"] or 0) > 0:
                last = row["close"]
            opened_at = instant_of(day, slot)
            rows.append(
                row
                | {
                    "symbol": symbol,
                    "timeframe": timeframe,
                    "trading_date": day,
                    "opened_at": opened_at,
                    "exchange_time": exchange_time(opened_at),
                    "phase": phase,
                    "is_filled": not traded,
                }
            )
    return rows


def volume_profile(bars: Bars) -> list[Row]:
    """Shares of the latest 20 sessions of the market, over those in which the symbol traded."""
    latest = sorted({day for _, day in bars.sessions})[-20:]
    sessions: dict[str, list[date]] = defaultdict(list)
    volumes: dict[tuple, list[tuple[float, int]]] = defaultdict(list)
    for (symbol, day), own in bars.sessions.items():
        whole = total(bar["volume"] for bar in own)
        if day not in latest or not whole:
            continue
        sessions[symbol].append(day)
        board = bars.board(symbol, day)
        for bar in own:
            minute = minute_of(bar["opened_at"])
            phase = day_of(board, day).phase(minute)
            slot = label_of(board, day, minute, 15)
            key = (symbol, phase.name if phase else "outside", day_of(board, day).auction(minute), slot)
            volumes[key].append((bar["volume"] / whole, bar["volume"]))
    return [
        {
            "symbol": symbol,
            "phase": phase,
            "auction": auction,
            "slot_starts": time(slot // 60, slot % 60),
            "mean_share": math.fsum(share for share, _ in parts) / len(sessions[symbol]),
            "mean_volume": sum(volume for _, volume in parts) / len(sessions[symbol]),
            "sessions": len(sessions[symbol]),
        }
        for (symbol, phase, auction, slot), parts in volumes.items()
    ]


def views(bars: Bars, sessions: list[Row]):
    key = ("symbol", "trading_date")
    opened = ("symbol", "timeframe", "opened_at")
    # Squares are kept in whole numbers of 1e-18.
    yield Recomputation("mart.intraday", key, sessions, {"realised_variance": 1e-15})
    yield Recomputation("mart.auction_share", key, auction_share(sessions))
    for timeframe in TIMEFRAMES:
        rows = session_bars(bars, timeframe)
        yield Recomputation(f"mart.candle_session WHERE timeframe = '{timeframe}'", opened, rows)
    yield Recomputation("mart.candle_filled", ("symbol", "opened_at"), filled_bars(bars, "1m"))
    yield Recomputation("mart.filled_bars('5m')", opened, filled_bars(bars, "5m"))
    slot = ("symbol", "phase", "auction", "slot_starts")
    yield Recomputation("mart.volume_profile", slot, volume_profile(bars))
