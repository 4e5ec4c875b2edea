"""Views of futures, covered warrants and funds."""

import math
import re
from bisect import bisect_right
from collections import defaultdict
from datetime import date, timedelta

from compare import Recomputation
from facts import announced_years, closed_days, contract_of, kind_of, plain_index
from prices import positive, times
from published import Home, Row

PRICES = ("open", "high", "low", "close", "settlement_price")


def last_of_month(first: date) -> date:
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def rule_last_date(month: date, closed: set[date]) -> date:
    """The third Thursday, or the last session before it where that is closed."""
    day = next(day for n in range(15, 22) if (day := month.replace(day=n)).isoweekday() == 4)
    while day in closed or day.isoweekday() > 5:
        day -= timedelta(days=1)
    return day


def futures_alias(home: Home) -> list[Row]:
    closed = closed_days()
    symbols = {
        row["symbol"]
        for relation in ("market.security", "market.daily_summary", "market.price_limit")
        for row in home.table(relation)
    }
    rows = []
    for symbol in symbols:
        contract = contract_of(symbol)
        if contract is None:
            continue
        month = date(2000 + int(contract[-4:-2]), int(contract[-2:]), 1)
        rows.append(
            {
                "symbol": symbol,
                "contract": contract,
                "underlying": contract[:-5],
                "code_scheme": "legacy" if symbol.upper() == contract else "present",
                "expiry_month": month,
                "listed": listed_last_date(home, symbol, month),
            }
        )
    for row in rows:
        others = [one["listed"] for one in rows if one["contract"] == row["contract"] and one["listed"]]
        row["is_last_trading_date_told"] = bool(others)
        told = row["listed"] or max(others, default=None)
        row["last_trading_date"] = told or rule_last_date(row["expiry_month"], closed)
    return rows


def listed_last_date(home: Home, symbol: str, month: date) -> date | None:
    """As a list last stated it, where it lies in the month of the contract."""
    stated = [
        (date.max, row["last_trading_date"]) for row in home.table("market.security") if row["symbol"] == symbol
    ] + [
        (row["valid_from"], row["last_trading_date"])
        for row in home.table("market.security_history")
        if row["symbol"] == symbol
    ]
    usable = [one for one in stated if one[1] and month <= one[1] <= last_of_month(month)]
    return max(usable)[1] if usable else None


def futures_basis(home: Home, aliases: list[Row]) -> list[Row]:
    closed = {day for day in closed_days() if day.isoweekday() <= 5}
    years = announced_years()
    levels: dict[tuple[str, date], tuple] = {}
    for row in home.table("market.index_summary"):
        if (row["index_value"] or 0) > 0:
            key = (re.sub(r"(.)INDEX$", r"\1", plain_index(row["index_code"])), row["trading_date"])
            levels[key] = min(levels.get(key, (row["index_code"], row["index_value"])), (row["index_code"], row["index_value"]))
    rows = []
    for alias in aliases:
        for day in home.by_symbol("market.daily_summary").get(alias["symbol"], []):
            session, last = day["trading_date"], alias["last_trading_date"]
            _, level = levels.get((alias["underlying"], session), (None, None))
            days = (last - session).days
            row = {
                **{name: alias[name] for name in ("symbol", "contract", "underlying", "last_trading_date")},
                "trading_date": session,
                "index_value": level,
                "days_to_last_trading_date": days,
                "sessions_to_last_trading_date": None,
            }
            for price, name in (("close", "basis"), ("settlement_price", "settlement_basis")):
                value = row[price] = positive(day[price])
                known = value is not None and level is not None
                fraction = float(value) / float(level) - 1 if known else None
                row[name] = float(value - level) if known else None
                row[f"{name}_fraction"] = fraction
                row[f"{name}_annualised"] = fraction * 365 / days if known and days > 0 else None
            if days >= 0 and session.year in years and last.year in years:
                ahead = (session + timedelta(days=n) for n in range(1, days + 1))
                row["sessions_to_last_trading_date"] = sum(
                    one.isoweekday() <= 5 and one not in closed for one in ahead
                )
            rows.append(row)
    return rows


def futures_rolled(home: Home, aliases: list[Row], rule: str, adjustment: str) -> list[Row]:
    rows: list[Row] = []
    for underlying in {alias["underlying"] for alias in aliases}:
        own = [alias for alias in aliases if alias["underlying"] == underlying]
        rows += Future(home, own, rule).rows(adjustment)
    return rows


class Future:
    """One underlying: its contracts by their end, their quotes, and which is held on each session."""

    def __init__(self, home: Home, aliases: list[Row], rule: str):
        self.underlying, self.rule = aliases[0]["underlying"], rule
        self.ends = {
            alias["contract"]: max(one["last_trading_date"] for one in aliases if one["contract"] == alias["contract"])
            for alias in aliases
        }
        self.contracts = sorted(self.ends, key=lambda contract: (self.ends[contract], contract))
        self.quotes: dict[tuple[str, date], Row] = {}
        order = sorted(aliases, key=lambda alias: alias["symbol"], reverse=True)
        for alias in sorted(order, key=lambda alias: alias["code_scheme"]):
            for day in home.by_symbol("market.daily_summary").get(alias["symbol"], []):
                key = (alias["contract"], day["trading_date"])
                earlier = self.quotes.get(key)
                if earlier is None or (day["total_match"] or 0) >= (earlier["total_match"] or 0):
                    self.quotes[key] = self.quote(alias["contract"], day)
        self.sessions = sorted({day for _, day in self.quotes})

    @staticmethod
    def quote(contract: str, day: Row) -> Row:
        prices = {name: day[name] or None for name in ("open", "high", "low")}
        prices |= {name: positive(day[name]) for name in ("close", "settlement_price")}
        given = {name: day[name] for name in ("symbol", "trading_date", "total_match", "open_interest")}
        return {"contract": contract, **given, **prices}

    def held(self) -> list[Row]:
        """The quote of the contract that is held, of each session that has one."""
        least, rows = 0, []
        for session in self.sessions:
            nearest = next((n for n, one in enumerate(self.contracts) if self.ends[one] >= session), None)
            if nearest is None:
                continue
            place = max(nearest, least)
            quote = self.quotes.get((self.contracts[place], session)) if place < len(self.contracts) else None
            if quote:
                rows.append(quote)
            least = max(least, nearest + self.is_led(nearest, session))
        return rows

    def is_led(self, nearest: int, session: date) -> bool:
        """Whether the next contract had more of what decides than the nearest one."""
        if self.rule == "expiry" or nearest + 1 == len(self.contracts):
            return False
        name = {"volume": "total_match", "open_interest": "open_interest"}[self.rule]
        figures = [
            (self.quotes.get((contract, session)) or {}).get(name) for contract in self.contracts[nearest : nearest + 2]
        ]
        return None not in figures and figures[1] > figures[0]

    def roll(self, before: Row, now: Row) -> Row:
        """Prices of the incoming and the outgoing contract that join them."""
        session = before["trading_date"]
        for days in range(7):
            day = session - timedelta(days=days)
            pair = [self.quotes.get((quote["contract"], day)) for quote in (now, before)]
            if None in pair:
                continue
            closes = all(quote["close"] is not None for quote in pair)
            name = "close" if closes else "settlement_price"
            if any(quote[name] is None for quote in pair):
                continue
            incoming, outgoing = (float(quote[name]) for quote in pair)
            return {"roll_price": name, "roll_priced_on": day, "roll_ratio": incoming / outgoing,
                    "roll_difference": incoming - outgoing}  # fmt: skip
        return NO_ROLL

    def rows(self, adjustment: str) -> list[Row]:
        front = self.held()
        rolls = [
            self.roll(before, now) if before["contract"] != now["contract"] else None
            for before, now in zip(front, front[1:], strict=False)
        ]
        rows = []
        for place, quote in enumerate(front):
            roll = rolls[place - 1] if place else None
            later = [one for one in rolls[place:] if one is not None]
            ratio = math.prod(one["roll_ratio"] or 1 for one in later) if adjustment == "ratio" else 1.0
            points = math.fsum(one["roll_difference"] or 0 for one in later) if adjustment == "difference" else 0.0
            adjusted = {f"{name}_adjusted": times(quote[name], ratio) for name in PRICES}
            rows.append(
                quote
                | (roll or NO_ROLL)
                | {name: None if price is None else price + points for name, price in adjusted.items()}
                | {
                    "underlying": self.underlying,
                    "roll_rule": self.rule,
                    "adjustment": adjustment,
                    "last_trading_date": self.ends[quote["contract"]],
                    "is_roll": roll is not None,
                    "is_roll_known": all(one["roll_ratio"] is not None for one in later),
                    "adjustment_factor": ratio,
                    "adjustment_points": points,
                }
            )
        return rows


NO_ROLL: Row = dict.fromkeys(("roll_price", "roll_priced_on", "roll_ratio", "roll_difference"))


def exercise_ratio(text: str | None) -> float | None:
    parts = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?::\s*(\d+(?:\.\d+)?)\s*)?", text or "")
    if parts is None:
        return None
    warrants, shares = float(parts[1]), float(parts[2] or 1)
    return warrants / shares if warrants and shares else None


def covered_warrant(home: Home) -> list[Row]:
    lists: dict[str, list[Row]] = defaultdict(list)
    for row in home.table("market.security_history"):
        lists[row["symbol"]].append(row)
    for own in lists.values():
        own.sort(key=lambda row: row["valid_from"])
    closes = {
        (row["symbol"], row["trading_date"]): positive(row["close"]) for row in home.table("market.daily_summary")
    }
    rows = []
    for symbol, days in home.by_symbol("market.daily_summary").items():
        own = lists.get(symbol, [])
        if kind_of(symbol) != "covered_warrant" and not any(row["cw_underlying_symbol"] for row in own):
            continue
        starts = [row["valid_from"] for row in own]
        for day in days:
            session = day["trading_date"]
            terms = own[max(bisect_right(starts, session) - 1, 0)] if own else None
            rows.append(warrant_session(day, terms if terms and terms["cw_underlying_symbol"] else None, closes))
    return rows


def warrant_session(day: Row, terms: Row | None, closes: dict) -> Row:
    session, close = day["trading_date"], positive(day["close"])
    row = dict.fromkeys(
        ("break_even", "premium", "intrinsic_value", "time_value", "moneyness", "gearing", "days_to_maturity",
         "days_to_last_trading_date", "underlying", "underlying_close", "exercise_price", "exercise_ratio",
         "terms_valid_from", "last_trading_date", "maturity_date")
    )  # fmt: skip
    row |= {"symbol": day["symbol"], "trading_date": session, "close": close, "total_match": day["total_match"]}
    if terms is None:
        return row
    strike, ratio = positive(terms["cw_exercise_price"]), exercise_ratio(terms["cw_execution_ratio"])
    share = closes.get((terms["cw_underlying_symbol"], session))
    row |= {
        "underlying": terms["cw_underlying_symbol"],
        "underlying_close": share,
        "exercise_price": strike,
        "exercise_ratio": ratio,
        "terms_valid_from": terms["valid_from"],
        "last_trading_date": terms["last_trading_date"],
        "maturity_date": terms["maturity_date"],
    }
    for name in ("last_trading_date", "maturity_date"):
        days = (row[name] - session).days if row[name] else None
        row["days_to_maturity" if name == "maturity_date" else f"days_to_{name}"] = days
    if None not in (strike, ratio, close):
        row["break_even"] = float(strike) + ratio * float(close)
        if share:
            row["premium"] = row["break_even"] / float(share) - 1
    if share and strike:
        row["moneyness"] = float(share) / float(strike)
        if ratio:
            row["intrinsic_value"] = max(float(share - strike), 0) / ratio
            row["time_value"] = float(close) - row["intrinsic_value"] if close else None
    if share and ratio and close:
        row["gearing"] = float(share) / (ratio * float(close))
    return row


def etf_premium(home: Home) -> list[Row]:
    summaries = {(row["symbol"], row["trading_date"]): row for row in home.table("market.daily_summary")}
    rows = []
    for figure in home.table("market.security_daily"):
        nav, level = positive(figure["i_nav"]), positive(figure["i_index"])
        if nav is None and level is None:
            continue
        summary = summaries.get((figure["symbol"], figure["trading_date"]), {})
        close, by_index = positive(summary.get("close")), None
        base = nav or close
        if close and level and base and 0.5 <= float(level) / float(base) <= 2:
            by_index = float(close) / float(level) - 1
        rows.append(
            {
                **{name: figure[name] for name in ("symbol", "trading_date")},
                "close": close,
                "total_match": summary.get("total_match"),
                "i_nav": nav,
                "i_index": level,
                "premium_to_i_nav": float(close) / float(nav) - 1 if close and nav else None,
                "premium_to_i_index": by_index,
            }
        )
    return rows


def views(home: Home):
    aliases = futures_alias(home)
    day, session = ("symbol", "trading_date"), ("underlying", "trading_date")
    yield Recomputation("mart.futures_alias", ("symbol",), aliases)
    yield Recomputation("mart.futures_basis", day, futures_basis(home, aliases))
    yield Recomputation("mart.futures_continuous", session, futures_rolled(home, aliases, "expiry", "ratio"))
    for rule, adjustment in (("volume", "ratio"), ("open_interest", "difference"), ("expiry", "difference")):
        rows = futures_rolled(home, aliases, rule, adjustment)
        yield Recomputation(f"mart.futures_rolled('{rule}', '{adjustment}')", session, rows)
    yield Recomputation("mart.covered_warrant", day, covered_warrant(home))
    yield Recomputation("mart.etf_premium", day, etf_premium(home))
