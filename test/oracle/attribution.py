"""What contributed to the gain of accounts over a period."""

import math
from collections import defaultdict
from datetime import date

from accounts import AMOUNT, MULTIPLIER, Accounts, by_day
from compare import Recomputation
from facts import contract_of
from prices import number
from published import Row


def worth(value: Row | None) -> float:
    return value["market_value"] + value["dividend_value"] if value else 0.0


class Parts:
    """Sums of one account over one period, by symbol; None: of no symbol."""

    def __init__(self):
        self.price_gain: dict[str, float] = defaultdict(float)
        self.dividends: dict[str | None, float] = defaultdict(float)
        self.costs: dict[str | None, float] = defaultdict(float)

    def change(self, change: Row, now: Row | None, before: Row | None) -> None:
        unit = MULTIPLIER if contract_of(change["symbol"]) else 1
        gain = worth(now) - worth(before) - change["bought_value"] + change["sold_value"]
        if change["expired"]:
            gain += change["expired"] * float(change["expired_at"]) * unit
        if change["unexplained_quantity"] and not change["has_ex_date"]:
            gain -= change["unexplained_quantity"] * float((now or before)["price"]) * unit
        self.price_gain[change["symbol"]] += gain

    def rows(self, period: Row) -> list[Row]:
        symbols = self.price_gain.keys() | {symbol for symbol in [*self.dividends, *self.costs] if symbol}
        parts = [("symbol", symbol, self.price_gain[symbol], self.dividends[symbol], self.costs[symbol]) for symbol in symbols]
        parts += [("dividends", None, 0.0, self.dividends[None], 0.0), ("interest", None, 0.0, 0.0, self.costs[None])]
        sums = [math.fsum(part[index] for part in parts) for index in (2, 3, 4)]
        gain = period["gain"] or 0.0
        known = [(*part, part[2] + part[3] - part[4]) for part in parts]
        known += [("residual", None, 0.0, 0.0, 0.0, gain - (sums[0] + sums[1] - sums[2])), ("total", None, *sums, gain)]
        rows = []
        for part, symbol, price_gain, dividends, costs, contribution in known:
            row = {name: period[name] for name in ("account_no", "from_session", "to_session", "reason")}
            row |= {"part": part, "symbol": symbol, "price_gain": price_gain, "dividends": dividends, "costs": costs}
            silent = period["reason"] is not None
            row["contribution"] = None if silent else contribution
            row["contribution_return"] = None if silent or period["equity_from"] <= 0 else contribution / period["equity_from"]
            rows.append(row)
        return rows


def rises(accounts: Accounts) -> dict[tuple[str, date], tuple[date, float]]:
    """Days on which more dividends are to come than on the day before, and how much more."""
    to_come: dict[str, dict[date, float | None]] = defaultdict(dict)
    for day, balance in by_day(accounts.home, "account.equity_balance", accounts.whole):
        to_come[day["account_no"]][day["trading_date"]] = number(balance["dividend"])
    rows = {}
    for account, days in to_come.items():
        ordered = sorted(days)
        for before, day in zip(ordered, ordered[1:], strict=False):
            if None not in (days[before], days[day]) and days[day] > days[before]:
                rows[account, day] = (before, days[day] - days[before])
    return rows


def attribution(accounts: Accounts, periods: list[Row], values: list[Row], changes: list[Row], costs: list[Row], paid: list[Row]) -> list[Row]:
    valued = {(row["account_no"], row["trading_date"], row["symbol"]): row for row in values}
    rows = []
    for period in periods:
        account, first, last = period["account_no"], period["from_session"], period["to_session"]
        if account == "ALL" or first is None or last is None or last <= first:
            continue
        parts = Parts()
        for change in changes:
            if change["account_no"] == account and first < change["trading_date"] <= last:
                now, before = (valued.get((account, change[name], change["symbol"])) for name in ("trading_date", "before_of"))
                parts.change(change, now, before)
        for cost in costs:
            if cost["account_no"] == account and first < cost["reported_on"] <= last and cost["cost"] is not None:
                parts.costs[cost["symbol"]] += cost["cost"]
        for (owner, day), (before, rise) in rises(accounts).items():
            if owner == account and first < day <= last:
                since = [row for row in paid if row["account_no"] == account and before < row["ex_date"] <= day]
                whole = math.fsum(row["gross"] for row in since)
                for row in since:
                    parts.dividends[row["symbol"]] += rise * row["gross"] / whole
                if not since:
                    parts.dividends[None] += rise
        rows += parts.rows(period)
    return rows


def views(accounts: Accounts, periods: dict, values: list[Row], changes: list[Row], costs: list[Row], paid: list[Row]):
    apart = dict.fromkeys(("price_gain", "dividends", "costs"), AMOUNT) | {"contribution": 0.011, "contribution_return": 1e-9}
    for (first, last), rows in periods.items():
        call = f"mart.account_attribution_between(DATE '{first}', DATE '{last}')"
        own = attribution(accounts, rows, values, changes, costs, paid)
        yield Recomputation(call, ("account_no", "part", "symbol"), own, apart)
