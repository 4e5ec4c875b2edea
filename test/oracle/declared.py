"""Corporate actions of two sources: breaks of reference prices, and declarations of a user's files.

From the definition of mart.adjustment_event and decision 0055.
"""

import math
from bisect import bisect_left
from collections import defaultdict
from datetime import date

from published import Home, Row

OLDEST_BASIS = 45
NEAR = 15


class Declaration:
    """What counts for a symbol on a session: the declarations of one day, or of several within a suspension."""

    def __init__(self, symbol: str, ex_date: date, rows: list[Row]):
        self.symbol, self.ex_date = symbol, ex_date
        self.kinds = ", ".join(sorted(row["kind"] for row in rows))
        self.other_days = sorted({row["ex_date"] for row in rows if row["ex_date"] < ex_date})
        self.cash = self.shares = self.rights = self.rights_money = 0.0
        self.split = 1.0
        # A later day is per share as held then: shares after each share of the beginning, without splits and with them.
        growth = held = 1.0
        for day in sorted({row["ex_date"] for row in rows}):
            new, split = 0.0, 1.0
            for row in rows:
                if row["ex_date"] != day:
                    continue
                match row["kind"]:
                    case "cash_dividend":
                        self.cash += float(row["amount"]) * held
                    case "stock_dividend" | "bonus":
                        self.shares += row["ratio"] * growth
                        new += row["ratio"]
                    case "rights":
                        self.rights += row["ratio"] * growth
                        self.rights_money += row["ratio"] * float(row["price"]) * held
                        new += row["ratio"]
                    case "split" | "consolidation":
                        split *= row["ratio"]
            growth *= 1 + new
            held *= (1 + new) * split
            self.split *= split

    def reference(self, basis: float, cash: float | None = None) -> float:
        """What the price before becomes. Nobody takes up rights that cost more than the share."""
        left = basis - (self.cash if cash is None else cash)
        new, money = self.shares, 0.0
        if self.rights and self.rights_money / self.rights < left:
            new, money = new + self.rights, self.rights_money
        return (left + money) / (1 + new) / self.split

    def computed(self, basis: float | None) -> float | None:
        if basis is None and (self.cash or self.rights):
            return None
        return self.reference(basis or 1.0) / (basis or 1.0)

    def factor(self, basis: float | None) -> float | None:
        factor = self.computed(basis)
        return factor if factor is not None and 0.001 <= factor <= 1000 else None

    def share_part(self, chain: float, declared: float | None, basis: float | None) -> float | None:
        """Part of the factor that is from shares: in the proportion of logarithms, as both are multiplied."""
        if not self.shares and not self.rights and self.split == 1:
            return 1.0
        if not self.cash:
            return chain
        if declared is None:
            return None
        part = math.log(self.reference(basis, 0.0) / basis) / math.log(declared)
        return chain**part


def declarations(home: Home) -> list[Declaration]:
    """Those that count: not withdrawn, of sessions up to the last one stored, on the first session from their ex-date on."""
    last = max((row["trading_date"] for row in home.table("market.daily_summary") if (row["close"] or 0) > 0), default=date.min)
    sessions: dict[str, list[date]] = {}
    limits, summaries = home.by_symbol("market.price_limit"), home.by_symbol("market.daily_summary")
    for symbol in limits.keys() | summaries.keys():
        days = {row["trading_date"] for row in limits.get(symbol, []) if (row["ref_price"] or 0) > 0}
        days |= {row["trading_date"] for row in summaries.get(symbol, []) if (row["close"] or 0) > 0}
        sessions[symbol] = sorted(days)
    groups: dict[tuple, list[Row]] = defaultdict(list)
    for row in home.table("market.corporate_action"):
        if row["is_withdrawn"] or row["ex_date"] > last:
            continue
        days = sessions.get(row["symbol"], [])
        place = bisect_left(days, row["ex_date"])
        is_near = place < len(days) and (days[place] - row["ex_date"]).days <= OLDEST_BASIS
        groups[row["symbol"], days[place] if is_near else row["ex_date"]].append(row)
    return [Declaration(symbol, day, rows) for (symbol, day), rows in groups.items()]


class Events:
    """Each declaration beside the reference price of its day, and the breaks that nobody declares."""

    def __init__(self, home: Home, compared: list[Row]):
        self.references = {(row["symbol"], row["ex_date"]): row for row in compared}
        self.of_symbol: dict[str, list[Row]] = defaultdict(list)
        for row in compared:
            self.of_symbol[row["symbol"]].append(row)
        self.closes = {
            symbol: [row for row in rows if (row["close"] or 0) > 0]
            for symbol, rows in home.by_symbol("market.daily_summary").items()
        }
        self.declared = declarations(home)
        self.days = {(one.symbol, one.ex_date) for one in self.declared}

    def all(self) -> list[Row]:
        observed = [
            event_row(row, row["factor"], "observed", kinds=None, declared=None, share=None, remark=None)
            for key, row in self.references.items()
            if row["is_event"] and key not in self.days
        ]
        return observed + [self.declared_event(one) for one in self.declared]

    def basis(self, declared: Declaration, reference: Row | None) -> float | None:
        """Of the reference; where none can be compared, the latest close of 45 days."""
        if reference:
            return float(reference["previous_basis"])
        closes = self.closes.get(declared.symbol, [])
        place = bisect_left(closes, declared.ex_date, key=lambda row: row["trading_date"])
        if place == 0 or (declared.ex_date - closes[place - 1]["trading_date"]).days > OLDEST_BASIS:
            return None
        return float(closes[place - 1]["close"])

    def broken_on(self, declared: Declaration) -> date | None:
        """The nearest day with a break as declared that no declaration has, earlier days first."""
        days = []
        for other in self.of_symbol[declared.symbol]:
            away = abs((other["ex_date"] - declared.ex_date).days)
            if not other["differs"] or other["is_fault"] or not 0 < away <= NEAR or (other["symbol"], other["ex_date"]) in self.days:
                continue
            expected = declared.reference(float(other["previous_basis"]))
            if abs(float(other["ref_price"]) - expected) <= (other["noise_ticks"] + 2) * float(other["tick"]):
                days.append((away, other["ex_date"]))
        return min(days)[1] if days else None

    def declared_event(self, declared: Declaration) -> Row:
        reference = self.references.get((declared.symbol, declared.ex_date))
        basis = self.basis(declared, reference)
        factor = declared.factor(basis)
        is_compared = reference is not None and not reference["is_fault"] and (
            reference["is_event"] or not reference["market_wide"]
        )
        by_tick = reference is not None and factor is not None and within(reference, basis * factor)
        is_open = not by_tick and reference is not None and factor is not None and (
            reference["open_move"] > 0 and abs(math.log(reference["factor"] / factor)) <= reference["open_move"]
        )
        agrees = by_tick or is_open
        confirmed = agrees and reference["ticks_off"] > 0 and (by_tick or not reference["is_unknown"])
        if confirmed and (reference["factor"] < 1) == (factor < 1):
            chain, state = factor if is_open else reference["factor"], "confirmed"
            remark = OPEN if is_open else None
        else:
            breaks = is_compared and reference["differs"]
            broken_on = None if breaks else self.broken_on(declared)
            if broken_on or (breaks and not agrees):
                state = "contradicted"
                chain = reference["factor"] if reference and reference["is_event"] else 1.0
                remark = contradiction(reference, broken_on)
            else:
                state = "declared"
                chain, remark = undisputed(reference, factor, is_compared, by_tick)
                if is_open:
                    chain, remark = factor, OPEN
                elif factor is None and declared.computed(basis) is not None:
                    remark = "refused: the factor is not between 0.001 and 1000"
        if declared.cash and basis is not None and declared.cash >= basis:
            remark = f"refused: the cash, {declared.cash:.0f}, is not less than the price before it, {basis:.0f}"
        if declared.other_days:
            days = ", ".join(map(str, declared.other_days))
            remark = "; ".join(filter(None, (f"declared for {days}, without a session", remark)))
        share = declared.share_part(chain, factor, basis)
        return event_row(
            reference, chain, state, kinds=declared.kinds, declared=factor, share=share, remark=remark
        ) | {"symbol": declared.symbol, "ex_date": declared.ex_date}  # fmt: skip


OPEN = "the prices of a session before it are not known"


def within(reference: Row, expected: float) -> bool:
    """Within the noise of the day and a tick of rounding, on UPCOM two."""
    ticks = reference["noise_ticks"] + (2 if reference["basis_kind"] == "average" else 1)
    return abs(float(reference["ref_price"]) - expected) <= ticks * float(reference["tick"])


def contradiction(reference: Row | None, broken_on: date | None) -> str:
    if broken_on:
        return f"the reference price breaks on {broken_on}"
    if reference["factor"] > 1:
        return "the reference price rises otherwise than declared"
    return "the reference price gives another factor"


def undisputed(reference: Row | None, factor: float | None, is_compared: bool, agrees: bool) -> tuple[float, str]:
    if factor is None:
        return 1.0, "no price before it: the factor is not known"
    if reference is None:
        return factor, "no reference price to compare"
    if reference["is_fault"]:
        return factor, "the prices of the session contradict the reference price"
    if not is_compared:
        return factor, "the reference prices of the day are at fault"
    if agrees:
        return factor, "smaller than the tick or the noise of the day"
    if reference["is_beyond_limit"]:
        return factor, "the close lies beyond the limits of a reference price that repeats its basis"
    return 1.0, "the reference price does not show it"


def event_row(reference: Row | None, factor: float, state: str, *, kinds, declared, share, remark) -> Row:
    names = ("symbol", "ex_date", "basis_date", "previous_basis", "ref_price", "basis_kind")
    return {name: reference[name] if reference else None for name in names} | {
        "factor": factor,
        "state": state,
        "kinds": kinds,
        "observed_factor": reference["factor"] if reference else None,
        "declared_factor": declared,
        "share_factor": share,
        "remark": remark,
    }
