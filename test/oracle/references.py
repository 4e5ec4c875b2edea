"""Reference prices beside what the exchange sets them from, and the corporate actions that they show.

From the definitions of mart.reference_basis, mart.reference_break, mart.adjustment_event, mart.chain_gap and decisions
0054 and 0055.
"""

import math
from bisect import bisect_left
from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal
from statistics import median

from compare import Recomputation
from declared import Events
from facts import announced_years, closed_days, kind_of, tick_of, to_hundred, trading_board
from published import Home, Row

OLDEST_BASIS = 45
BOARD_BANDS = {"HOSE": 0.07, "HNX": 0.10, "UPCOM": 0.15, "DERIVATIVE": 0.07}
BASIS_COLUMNS = {"close": "close", "average": "average", "settlement": "settlement_price"}


def compared_references(home: Home) -> list[Row]:
    """One row per symbol and session whose reference price can be compared with its basis."""
    summaries = home.by_symbol("market.daily_summary")
    candidates = [
        candidate
        for symbol, bands in home.by_symbol("market.price_limit").items()
        for candidate in candidates_of(symbol, bands, summaries.get(symbol, []))
    ]
    by_day: dict[date, list[Row]] = defaultdict(list)
    for candidate in candidates:
        by_day[candidate["ex_date"]].append(candidate)
    unknown = UnknownSessions(home)
    limits = Limits(home)
    compared: list[Row] = []
    for rows in by_day.values():
        for row in rows:
            row["unknown_sessions"] = unknown.before(row, len(rows))
        compared += assessed([row for row in rows if row["previous_basis"] > 0], limits)
    return compared


def averages(board: str, day: date) -> bool:
    """Whether the reference is set from the weighted average before: HNX changed on 2013-07-29."""
    return board == "UPCOM" or (board == "HNX" and day < date(2013, 7, 29))


def candidates_of(symbol: str, bands: list[Row], summaries: list[Row]):
    bases = {
        kind: [row for row in summaries if (row[column] or 0) > 0] for kind, column in BASIS_COLUMNS.items()
    }
    before: Row | None = None
    for band in bands:
        day, board = band["trading_date"], band["exchange"].upper()
        earlier, before = before, band
        kind = "settlement" if kind_of(symbol) == "future" else "average" if averages(board, day) else "close"
        place = bisect_left(bases[kind], day, key=lambda row: row["trading_date"])
        if place == 0 or (band["ref_price"] or 0) <= 0:
            continue
        basis = bases[kind][place - 1]
        if (day - basis["trading_date"]).days > OLDEST_BASIS:
            continue
        if earlier and earlier["exchange"].upper() != board and (day - earlier["trading_date"]).days <= OLDEST_BASIS:
            continue
        price = basis[BASIS_COLUMNS[kind]]
        last_basis = to_hundred(price) if kind == "average" else price
        idle = bool(
            earlier and earlier["trading_date"] > basis["trading_date"] and (earlier["ref_price"] or 0) > 0
        )
        yield {
            "symbol": symbol,
            "ex_date": day,
            "board": trading_board(symbol, board),
            "ref_price": band["ref_price"],
            "basis_kind": kind,
            "basis_date": basis["trading_date"],
            "price": price,
            "last_basis": last_basis,
            "previous_basis": earlier["ref_price"] if idle else last_basis,
            "is_idle": idle,
            "gap_from": earlier["trading_date"] if idle else basis["trading_date"] + timedelta(days=1),
        }


class UnknownSessions:
    """Sessions from the basis on of which nothing is known of a symbol: the price that they left may be the basis."""

    def __init__(self, home: Home):
        self.closed = closed_days()
        self.calendar_years = announced_years()
        self.stored = {(row["symbol"], row["trading_date"]) for row in home.table("market.daily_summary")}
        self.sessions = {day for _, day in self.stored}
        answers = [row for row in home.table("ops.coverage") if row["state"] in ("complete", "empty")]
        summaries = [row for row in answers if row["dataset"] == "securitiesSummary"]
        self.answered = {(row["key"], row["window_from"]) for row in summaries}
        self.empty = {row["window_from"] for row in summaries if row["key"] == "*" and row["state"] == "empty"}
        self.without_bars = {
            (row["key"], row["window_from"]) for row in answers if row["dataset"] == "ohlc" and row["state"] == "empty"
        }

    def before(self, row: Row, comparable: int) -> int:
        if row["ref_price"] == row["previous_basis"]:
            return 0
        certain = omitted = 0
        day = row["gap_from"]
        while day < row["ex_date"]:
            key = (row["symbol"], day)
            if self.is_session(day, comparable) and key not in self.stored and key not in self.without_bars:
                requested = key in self.answered or (day in self.sessions and ("*", day) in self.answered)
                # The limits of an idle day say that it was a session of the symbol.
                if not requested or (row["is_idle"] and day == row["gap_from"]):
                    certain += 1
                else:
                    omitted += 1
            day += timedelta(days=1)
        # More than three in a row are a suspension, with one session beside it that may be missing.
        return certain + (1 if omitted > 3 else omitted)

    def is_session(self, day: date, comparable: int) -> bool:
        if day in self.sessions:
            return True
        if day.isoweekday() > 5 or day in self.closed or day in self.empty:
            return False
        return day.year in self.calendar_years or ("*", day) in self.answered or comparable < 20


class Limits:
    """Bands of the board, as reported, and what the prices of a session say of them."""

    def __init__(self, home: Home):
        self.bands = {(row["symbol"], row["trading_date"]): row for row in home.table("market.price_limit")}
        self.traded = {
            (row["symbol"], row["trading_date"]): row
            for row in home.table("market.daily_summary")
            if (row["close"] or 0) > 0 and (row["total_match"] or 0) > 0
        }

    def reported(self, symbol: str, day: date) -> float | None:
        limits = self.bands.get((symbol, day))
        ceiling, floor = (limits["ceiling"], limits["floor"]) if limits else (None, None)
        return float(ceiling - floor) / float(ceiling + floor) if ceiling and floor and ceiling > floor > 0 else None

    def open_move(self, row: Row) -> float:
        """How far the price can have moved in the unknown sessions, as a logarithm."""
        if row["unknown_sessions"] == 0 or row["ticks_off"] == 0:
            return 0.0
        widths = [None if kind_of(row["symbol"]) == "covered_warrant" else BOARD_BANDS.get(row["board"])]
        widths.append(self.reported(row["symbol"], row["gap_from"]))
        known = [width for width in widths if width is not None]
        if not known or (row["ex_date"] - row["basis_date"]).days > 30:
            return math.inf
        least = float(row["tick"]) / float(min(row["ref_price"], row["previous_basis"]))
        return row["unknown_sessions"] * max(-math.log(1 - max(known)), least)

    def add(self, row: Row) -> None:
        """Whether the close, and all prices of the session, lie beyond the band around the reference."""
        row["is_beyond_limit"], row["is_fault"] = None, False
        session = self.traded.get((row["symbol"], row["ex_date"]))
        if session is None or kind_of(row["symbol"]) == "covered_warrant":
            return
        reported, width = self.reported(row["symbol"], row["ex_date"]), BOARD_BANDS.get(row["board"])
        if reported is not None and width is not None and reported > width:
            width = reported
        elif (row["ex_date"] - row["basis_date"]).days > 30:
            width = reported
        if width is None:
            return
        close = float(session["close"])
        prices = [close, float(session["high"] or close)]
        prices.append(float(session["low"]) if (session["low"] or 0) > 0 else close)

        def beyond(price: float, around: Decimal) -> float:
            return abs(price - float(around)) - float(row["tick"]) - width * float(around)

        row["is_beyond_limit"] = beyond(close, row["ref_price"]) > 1e-6
        furthest, from_basis = (max(beyond(price, row[name]) for price in prices) for name in ("ref_price", "previous_basis"))
        row["is_fault"] = row["differs"] and not row["market_wide"] and furthest > 0 and from_basis <= 0


def assessed(rows: list[Row], limits: Limits) -> list[Row]:
    """Rows of one day, each with its distance in ticks, and whether that is more than the noise of the day."""
    averages = [
        row for row in rows if row["basis_kind"] == "average" and not row["is_idle"] and not row["unknown_sessions"]
    ]
    exact = sum(row["ref_price"] == row["previous_basis"] for row in averages)
    # Of a hundred a fifth may be noise, and half would be rounded to the average if it were always rounded down.
    is_rounding_known = bool(averages) and exact / len(averages) >= (0.7 if len(averages) >= 100 else 0.9)
    for row in rows:
        kind = kind_of(row["symbol"])
        ticks = [tick_of(row["board"], kind, row[name]) for name in ("ref_price", "previous_basis")]
        row["tick"] = max((tick for tick in ticks if tick), default=Decimal(1))
        distance = abs(row["ref_price"] - row["previous_basis"])
        if row["is_idle"]:
            distance = min(distance, abs(row["ref_price"] - row["last_basis"]))
        row["ticks_off"] = distance / row["tick"]
        if row["basis_kind"] == "average" and not row["is_idle"] and not is_rounding_known:
            row["ticks_off"] = abs(row["ref_price"] - row["price"]) // row["tick"]
        row["factor"] = float(row["ref_price"]) / float(row["previous_basis"])
        row["open_move"] = limits.open_move(row)
        row["is_unknown"] = row["open_move"] > 0 and abs(math.log(row["factor"])) <= row["open_move"]
    known = [row for row in rows if not row["is_unknown"]]
    noise = noise_of(known)
    for row in rows:
        row["noise_ticks"] = noise
        row["differs"] = not row["is_unknown"] and row["ticks_off"] > noise
    breaks = [row for row in rows if row["differs"]]
    rises = sum(row["factor"] > 1 for row in breaks)
    usual = median(abs(math.log(row["factor"])) for row in breaks) if breaks else 0
    market_wide = (
        len(breaks) >= 5
        and usual > 0.005
        and (len(breaks) * 2 >= len(known) or (len(breaks) * 10 > len(known) and rises * 4 >= len(breaks)))
    )
    for row in rows:
        row["market_wide"] = market_wide
        limits.add(row)
        fall = -math.log(row["factor"])
        stands_out = fall > 4 * usual and 1 - row["factor"] > BOARD_BANDS.get(row["board"], 1)
        stands_out = stands_out and kind_of(row["symbol"]) != "covered_warrant"
        row["is_event"] = (
            row["differs"] and row["factor"] < 1 and not row["is_fault"] and (not market_wide or stands_out)
        )
    return rows


def noise_of(rows: list[Row]) -> int:
    up = sum(0 < row["ticks_off"] <= 2 and row["factor"] > 1 for row in rows)
    down = sum(0 < row["ticks_off"] <= 2 and row["factor"] < 1 for row in rows)
    small = [row["ticks_off"] for row in rows if 0 < row["ticks_off"] <= 5]
    if len(rows) >= 50 and up == 0 and down <= max(2, len(rows) / 50):
        return 0
    return 2 if len(small) >= 5 and len(small) * 10 > len(rows) and median(small) > 1 else 1


def reference_glitches(compared: list[Row]) -> list[Row]:
    days: dict[date, list[Row]] = defaultdict(list)
    for row in compared:
        if row["market_wide"]:
            days[row["ex_date"]].append(row)
    return [
        {"trading_date": day, "differing": sum(row["differs"] for row in rows), "compared": len(rows)}
        for day, rows in days.items()
    ]


def chain_gaps(home: Home, compared: list[Row], events: list[Row]) -> list[Row]:
    references = {(row["symbol"], row["ex_date"]): row for row in compared}
    sessions = {
        (row["symbol"], row["trading_date"])
        for relation in ("market.price_limit", "market.daily_summary")
        for row in home.table(relation)
    }
    states = {(row["symbol"], row["ex_date"]): row for row in events}
    gaps = []
    for symbol, day in sessions:
        reason = link_reason(references.get((symbol, day)), states.get((symbol, day)))
        if reason:
            gaps.append({"symbol": symbol, "trading_date": day, "reason": reason})
    return gaps


def link_reason(reference: Row | None, event: Row | None) -> str | None:
    state = event["state"] if event else None
    declared = event["declared_factor"] if event else None
    if state == "contradicted":
        return "contradicted"
    shown = reference is not None and not reference["market_wide"] and not reference["is_fault"]
    if state == "declared" and shown and event["factor"] == 1 and declared not in (None, 1):
        return "not_shown"
    if state == "confirmed" and event["factor"] == event["observed_factor"]:
        return None
    is_open = reference is not None and reference["open_move"] > 0 and (reference["is_event"] or declared is not None)
    if is_open or (reference is None and declared is not None):
        # Shares alone need no price.
        kinds = event["kinds"] if event else None
        needs_basis = kinds is None or "cash_dividend" in kinds or "rights" in kinds
        if needs_basis or event["factor"] != declared:
            return "inexact"
    if state == "confirmed" or (reference is not None and reference["is_event"]):
        return None
    if state == "declared" and declared is not None:
        return None
    if reference is None or reference["is_unknown"]:
        return "not_compared"
    if reference["market_wide"]:
        return "market_wide"
    if reference["differs"] and reference["factor"] > 1 and not reference["is_fault"]:
        return "rise"
    if reference["is_beyond_limit"] and not reference["differs"]:
        return "beyond_limit"
    return None


def chain_known(gaps: list[Row]) -> list[Row]:
    latest: dict[str, Row] = {}
    for gap in gaps:
        known = latest.get(gap["symbol"])
        if known is None or gap["trading_date"] > known["trading_date"]:
            latest[gap["symbol"]] = gap
    return [
        {"symbol": symbol, "chain_known_from": gap["trading_date"], "reason": gap["reason"]}
        for symbol, gap in latest.items()
    ]


def adjustment_factors(events: list[Row]) -> list[Row]:
    """Products of each event's factor and all later ones of its symbol."""
    rows = []
    for symbol in {event["symbol"] for event in events}:
        own = sorted((event for event in events if event["symbol"] == symbol), key=lambda event: event["ex_date"])
        for place, event in enumerate(own):
            later = own[place:]
            shares = [one["factor"] if one["share_factor"] is None else one["share_factor"] for one in later]
            rows.append(
                {
                    "symbol": symbol,
                    "applies_from": own[place - 1]["ex_date"] if place > 0 else date(1900, 1, 1),
                    "ex_date": event["ex_date"],
                    "factor": event["factor"],
                    "cumulative_factor": math.prod(one["factor"] for one in later),
                    "cumulative_share_factor": math.prod(shares),
                    "are_kinds_known": all(one["share_factor"] is not None for one in later),
                }
            )
    return rows


class Adjustment:
    """Everything that adjusts prices, computed once for all views."""

    def __init__(self, home: Home):
        self.compared = compared_references(home)
        self.events = Events(home, self.compared).all()
        self.glitches = reference_glitches(self.compared)
        self.glitch_days = {row["trading_date"] for row in self.glitches}
        self.gaps = chain_gaps(home, self.compared, self.events)
        self.known = chain_known(self.gaps)
        self.known_from = {row["symbol"]: row["chain_known_from"] for row in self.known}
        self.factors = adjustment_factors(self.events)
        self.of_symbol: dict[str, list[Row]] = defaultdict(list)
        for row in sorted(self.factors, key=lambda row: row["ex_date"]):
            self.of_symbol[row["symbol"]].append(row)
        # An action that the reference should show and does not: returns of that day are from closes.
        self.unadjusted = {
            (row["symbol"], row["ex_date"])
            for row in self.events
            if row["state"] == "declared" and row["factor"] != 1
        }

    def next_event(self, symbol: str, day: date) -> Row | None:
        return next((row for row in self.of_symbol[symbol] if row["ex_date"] > day), None)

    def factor(self, symbol: str, day: date) -> float:
        """Product of the factors of all later ex-dates."""
        event = self.next_event(symbol, day)
        return event["cumulative_factor"] if event else 1.0

    def between(self, symbol: str, earlier: date, later: date) -> float:
        """Product of the factors of ex-dates after one session up to another."""
        return math.prod(
            row["factor"] for row in self.of_symbol[symbol] if earlier < row["ex_date"] <= later
        )

    def views(self) -> list[Recomputation]:
        return [
            Recomputation("mart.adjustment_event", ("symbol", "ex_date"), self.events),
            Recomputation("mart.adjustment_factor", ("symbol", "ex_date"), self.factors),
            Recomputation("mart.reference_glitch", ("trading_date",), self.glitches),
            Recomputation("mart.chain_gap", ("symbol", "trading_date"), self.gaps),
            Recomputation("mart.chain_known", ("symbol",), self.known),
        ]
