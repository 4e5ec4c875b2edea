"""Costs and returns of accounts: what orders cost, what was paid in or out, and what is left as a return."""

import bisect
import math
from collections import defaultdict
from datetime import date

from accounts import AMOUNT, Accounts, by_day, less
from compare import Recomputation
from facts import contract_of
from matches import SALE_TAX, Books, sales_rates
from prices import number
from published import Home, Row

YEAR = 365
RETURN = 1e-11
MOST_LOAN_RATE = 0.2


def shown_rates(books: Books) -> list[Row]:
    """Fee rates that days of sales show, by account and day."""
    return [
        {"account_no": account, "trading_date": day, "fee_rate": rate, "snapshot_id": snapshot}
        for account in books.snapshots
        for day, snapshot, rate in sales_rates(books, account)
    ]


def nearest(shown: list[tuple[date, float]], day: date) -> tuple[date, float] | None:
    """The latest one up to the day, else the first one after it; a year away at most."""
    days = [one for one, _ in shown]
    at = bisect.bisect_right(days, day)
    for index in (at - 1, at):
        if 0 <= index < len(days) and abs((days[index] - day).days) <= YEAR:
            return shown[index]
    return None


class Costs:
    """Rows of mart.account_cost."""

    def __init__(self, accounts: Accounts, rates: list[Row]):
        self.accounts = accounts
        self.shown: dict[str, list[tuple[date, float]]] = defaultdict(list)
        for row in sorted(rates, key=lambda row: row["trading_date"]):
            self.shown[row["account_no"]].append((row["trading_date"], row["fee_rate"]))
        self.rows = [cost for fill in accounts.fills for cost in self.of_fill(fill)]
        for account in {account for account, _ in accounts.whole}:
            self.rows += self.interest(account)

    def of_fill(self, fill: Row):
        contract = contract_of(fill["symbol"])
        row = {name: fill[name] for name in ("account_no", "trading_date", "order_id", "symbol", "side")}
        row |= {"reported_on": fill["told_on"], "month": fill["trading_date"].replace(day=1), "quantity": fill["quantity"], "value": fill["value"]}
        rate = None if contract else nearest(self.shown[fill["account_no"]], fill["trading_date"])
        lacking = "fees of contracts are not reported" if contract else "no sale within a year shows the fee rate"
        yield row | priced("fee", row["value"], rate and rate[1], "shown_rate", rate and rate[0], lacking)
        if contract or fill["side"] == "S":
            tax = contract_tax(fill["trading_date"]) if contract else SALE_TAX
            yield row | priced("tax", row["value"], tax, "rulebook", None, "the rulebook has no rate of that day")

    def interest(self, account: str) -> list[Row]:
        """Rises are stated; where interest was paid, at the rate that a rise of another day shows."""
        steps, before = [], None
        balances = by_day(self.accounts.home, "account.equity_balance", self.accounts.whole)
        for day, balance in sorted((pair for pair in balances if pair[0]["account_no"] == account), key=lambda pair: pair[0]["trading_date"]):
            interest = number(balance["interest_loan"])
            loan = less(number(balance["total_debt"]), (interest or 0) + float(balance["overdue_fee_loan"] or 0))
            now = {"day": day["trading_date"], "loan": loan, "interest": interest}
            if before and (loan or before["loan"] or interest != before["interest"]):
                nights = (now["day"] - before["day"]).days
                steps.append((now, before, nights, less(interest, before["interest"])))
            before = now
        rates = [
            (now["day"], rise / (now["loan"] * nights / YEAR))
            for now, earlier, nights, rise in steps
            if rise and rise > 0 and now["loan"] == earlier["loan"] and now["loan"]
        ]
        rates = [(day, rate) for day, rate in rates if rate <= MOST_LOAN_RATE]
        rows = []
        for now, earlier, nights, rise in steps:
            row = dict.fromkeys(("order_id", "symbol", "side", "quantity", "rate", "shown_on", "missing"))
            row |= {"account_no": account, "trading_date": now["day"], "reported_on": now["day"], "kind": "interest"}
            row |= {"month": now["day"].replace(day=1), "value": earlier["loan"], "cost": rise, "basis": "stated"}
            if rise is None:
                row |= {"basis": None, "missing": "interest_loan is not reported"}
            elif rise < 0:
                shown = nearest(rates, now["day"])
                row |= {"cost": None, "basis": None, "missing": "interest was paid, and no day shows its rate"}
                if shown:
                    amount = earlier["loan"] * shown[1] * nights / YEAR
                    row |= {"rate": shown[1], "shown_on": shown[0], "cost": amount}
                    row |= {"basis": "shown_rate", "missing": None}
            rows.append(row)
        return rows


def priced(kind: str, value: float | None, rate: float | None, basis: str, shown_on: date | None, lacking: str) -> Row:
    known = None not in (value, rate)
    missing = lacking if rate is None else None if known else "the average price is not reported"
    return {
        "kind": kind,
        "rate": rate,
        "cost": value * rate if known else None,
        "basis": basis if known else None,
        "shown_on": shown_on if known else None,
        "missing": missing,
    }


def contract_tax(day: date) -> float | None:
    """0.1 % of half of the margin; the margin of VN30 contracts that data/reference has."""
    margins = ((date(2022, 12, 15), date.max, 17), (date(2018, 7, 18), date(2022, 12, 14), 13), (date(2017, 8, 10), date(2018, 7, 17), 10))
    margin = next((percent for first, last, percent in margins if first <= day <= last), None)
    return margin / 100 * 0.001 / 2 if margin and day >= date(2020, 4, 16) else None


FIGURES = ("equity", "equity_before", "change", "price_gain", "costs", "dividends", "cash_flow", "share_flow", "flow",
           "residual", "time_weighted")  # fmt: skip


def account_days(curve: list[Row], costs: list[Row]) -> list[Row]:
    """Each snapshot's day of an account."""
    told: dict[tuple, list[float | None]] = defaultdict(list)
    for cost in costs:
        told[cost["account_no"], cost["reported_on"]].append(cost["cost"])
    days = {(row["account_no"], row["trading_date"]): row for row in curve}
    return [valued(row, days.get((row["account_no"], row["before_of"])), told[key]) for key, row in days.items()]


def is_stale(row: Row) -> bool:
    return row["priced_on"] is not None and row["priced_on"] < row["trading_date"]


def valued(row: Row, before: Row | None, amounts: list[float | None]) -> Row:
    key = {name: row[name] for name in ("account_no", "account_type", "trading_date", "state")}
    result = key | dict.fromkeys(("before_of", *FIGURES))
    if row["state"] == "partial":
        return result | {"reason": f"partial snapshot: {row['missing']}"}
    result["before_of"] = row["before_of"]
    result["equity"] = None if is_stale(row) else row["net_asset_value"]
    if before is None:
        unpriced = "the balance is not reported" if row["net_cash"] is None else "a position has no price of 45 days"
        reason = "first snapshot: nothing before it to compare with"
        if row["net_asset_value"] is None or is_stale(row):
            reason = unpriced if row["net_asset_value"] is None else stale_reason(row)
        return result | {"reason": reason}
    result["equity_before"] = None if is_stale(before) else before["net_asset_value"]
    result["change"] = less(result["equity"], result["equity_before"])
    result["price_gain"] = row["price_gain"]
    result["costs"] = None if None in amounts else math.fsum(amounts)
    result["dividends"] = max(row["dividend"] - before["dividend"], 0.0)
    known_costs = math.fsum(amount for amount in amounts if amount is not None)
    rest = row["unexplained_cash"]
    left = None if rest is None else rest + known_costs - result["dividends"]
    return result | decided(result, row, before, left)


def stale_reason(row: Row) -> str:
    return f"closes are not stored or withheld: positions stand at those of {row['priced_on']}"


def decided(result: Row, row: Row, before: Row, left: float | None) -> Row:
    """A flow needs that the service's own equity moved too."""
    if result["equity"] is None:
        return {"reason": stale_reason(row) if is_stale(row) else "a position has no price of 45 days"}
    if result["equity_before"] is None:
        return {"reason": f"the value on {row['before_of']} is not known"}
    if None in (row["unexplained_cash"], row["costs_most"], row["income_most"]):
        return {"reason": "the price of a fill or of an ended contract is not reported"}
    explained = -row["costs_most"] <= row["unexplained_cash"] <= row["income_most"]
    moved = row["unexplained_positions"]
    shares = None if row["account_type"] == "DERIVATIVE" else row["unexplained_shares"]
    possible = shares if explained else left
    apart = less(row["difference"], before["difference"])
    confirmed = None not in (apart, possible) and abs(apart) <= 10 + 0.01 * abs(possible)
    cash_flow = 0.0 if explained else left if moved == 0 and confirmed else None
    share_flow = 0.0 if moved == 0 else shares if explained and confirmed else None
    answer = {"cash_flow": cash_flow, "share_flow": share_flow}
    if not explained and moved:
        text = f"unreconciled: {left:.0f} VND and the quantity of symbols: {moved}; perhaps trades not reported"
        return answer | {"reason": text}
    if cash_flow is None:
        return answer | {"reason": f"unreconciled: {left:.0f} VND; total_equity does not confirm it"}
    if share_flow is None:
        text = f"unreconciled: the quantity of symbols: {moved}; total_equity does not confirm it"
        return answer | {"reason": text}
    answer |= {"flow": cash_flow + share_flow, "residual": round(left - cash_flow, 2)}
    return answer | earned(result["change"], answer["flow"], result["equity_before"])


def earned(change: float, flow: float, equity_before: float) -> Row:
    base = equity_before + max(flow, 0)
    if base <= 0:
        return {"time_weighted": None, "reason": "nothing was there that could earn a return"}
    return {"time_weighted": (change - flow) / base, "reason": None}


def account_sessions(home: Home, days: list[Row]) -> list[Row]:
    """A row per account and session, those without a snapshot too."""
    sessions = {row["trading_date"] for row in home.table("market.daily_summary")} | {row["trading_date"] for row in days}
    by_account: dict[str, dict[date, Row]] = defaultdict(dict)
    for row in days:
        by_account[row["account_no"]][row["trading_date"]] = row
    rows = []
    for account, own in by_account.items():
        known = [day for day in sorted(own) if own[day]["equity"] is not None]
        ended = max(own) if known and own[known[-1]]["equity"] == 0 else date.max
        kind = next(iter(own.values()))["account_type"]
        missing = {"account_no": account, "account_type": kind, "state": "missing", "before_of": None}
        missing |= dict.fromkeys(FIGURES) | {"reason": "no snapshot of this session"}
        rows += [own.get(day) or missing | {"trading_date": day} for day in sessions if min(own) <= day <= ended]
    return rows


def total_sessions(rows: list[Row]) -> list[Row]:
    by_session: dict[date, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row["account_no"], row["trading_date"])):
        by_session[row["trading_date"]].append(row)
    totals, before = [], None
    for day in sorted(by_session):
        parts = by_session[day]
        states = {part["state"] for part in parts}
        row = {"account_no": "ALL", "account_type": "ALL", "trading_date": day, "before_of": None} | dict.fromkeys(FIGURES)
        row["state"] = states.pop() if len(states) == 1 and states <= {"complete", "missing"} else "partial"
        unknown = [f"{part['account_no']}: {part['reason']}" for part in parts if part["equity"] is None]
        if unknown:
            totals.append(row | {"reason": "; ".join(unknown)})
            continue
        row["equity"] = math.fsum(part["equity"] for part in parts)
        if before is None:
            row["reason"] = "first session of which every account is known: nothing before it to compare with"
        else:
            between = [part for part in rows if before["trading_date"] < part["trading_date"] <= day and part["state"] == "complete"]
            row |= total_change(row["equity"], before, between)
        totals.append(row)
        before = row
    return totals


def total_change(equity: float, before: Row, parts: list[Row]) -> Row:
    new = [part for part in parts if part["before_of"] is None]
    old = [part for part in parts if part["before_of"] is not None]
    row = {"before_of": before["trading_date"], "equity_before": before["equity"], "change": equity - before["equity"]}
    row["dividends"] = math.fsum(part["dividends"] for part in old if part["dividends"] is not None)
    costs = [part["costs"] for part in old]
    row["costs"] = None if None in costs else math.fsum(costs)
    broken = sorted((part["account_no"], part["trading_date"], part["reason"]) for part in old if part["flow"] is None)
    if broken:
        return row | {"reason": "; ".join(f"{account}: {reason}" for account, _, reason in broken)}
    row["price_gain"] = math.fsum(part["price_gain"] for part in old)
    row["cash_flow"] = math.fsum([part["cash_flow"] for part in old] + [part["equity"] for part in new])
    row["share_flow"] = math.fsum(part["share_flow"] for part in old)
    row["residual"] = math.fsum(part["residual"] for part in old)
    row["flow"] = row["cash_flow"] + row["share_flow"]
    return row | earned(row["change"], row["flow"], row["equity_before"])


class Growth:
    """Returns compounded over a period, session by session, and the period's figures."""

    def __init__(self, home: Home, rows: list[Row], first: date, last: date, benchmark: dict[date, float]):
        self.levels = {
            code: {
                row["trading_date"]: float(row["index_value"])
                for row in home.table("market.index_summary")
                if plain(row["index_code"]) == code and row["index_value"]
            }
            for code in ("VNINDEX", "VN30")
        } | {"benchmark": benchmark}
        self.rows: dict[str, list[Row]] = {}
        by_account: dict[str, list[Row]] = defaultdict(list)
        for row in sorted(rows, key=lambda row: row["trading_date"]):
            if row["trading_date"] <= last:
                by_account[row["account_no"]].append(row)
        for account, own in by_account.items():
            self.rows[account] = self.compounded(own, first)

    def compounded(self, rows: list[Row], first: date) -> list[Row]:
        known = [row["trading_date"] for row in rows if row["equity"] is not None]
        start = max((day for day in known if day <= first), default=min(known, default=None))
        answers, total, highest, broken = [], 1.0, 1.0, None
        for row in rows:
            day = row["trading_date"]
            if start and day < start:
                continue
            answer = {name: row[name] for name in ("account_no", "account_type", "trading_date", "state", "before_of", "equity")}
            answer |= {name: 0.0 if day == start else row[name] for name in ("change", "flow", "costs")}
            if day != start and row["state"] == "complete":
                if row["time_weighted"] is None:
                    broken = broken or f"{day}: {row['reason']}"
                else:
                    total *= 1 + row["time_weighted"]
            is_known = broken is None and row["equity"] is not None
            highest = max(highest, total) if is_known else highest
            own_reason = f"{day}: {row['reason']}" if day != start and row["reason"] else None
            answer |= {
                "from_session": start,
                "time_weighted": total - 1 if is_known else None,
                "drawdown": total / highest - 1 if is_known else None,
                "reason": broken or own_reason,
            }
            for code, name in (("VNINDEX", "vnindex"), ("VN30", "vn30"), ("benchmark", "benchmark")):
                now, then = (self.levels[code].get(one) for one in (day, start))
                answer[f"{name}_return"] = None if None in (now, then) else now / then - 1
            answers.append(answer)
        return answers

    def periods(self) -> list[Row]:
        return [period(rows) for rows in self.rows.values()]


def plain(code: str) -> str:
    return "".join(letter for letter in code.upper() if letter.isalnum())


def period(rows: list[Row]) -> Row:
    last, known = rows[-1], [row for row in rows if row["equity"] is not None]
    names = ("account_no", "account_type", "from_session", "vnindex_return", "vn30_return", "benchmark_return")
    row = {name: last[name] for name in names}
    row["to_session"] = known[-1]["trading_date"] if known else None
    row["sessions"] = max(len(known) - 1, 0)
    row["equity_from"] = known[0]["equity"] if known else None
    row["equity_to"] = last["equity"]
    row["change"] = less(row["equity_to"], row["equity_from"])
    row["reason"] = last["reason"]
    if row["sessions"] < 1 and last["equity"] is not None:
        row["reason"] = f"no later session than {row['from_session']}"
    figures = ("flow", "gain", "costs", "time_weighted", "money_weighted", "max_drawdown", "max_drawdown_on", "drawdown")
    row |= dict.fromkeys(figures)
    if row["reason"]:
        return row
    moved = [one for one in known if one["change"] is not None]
    row["flow"] = math.fsum(one["flow"] for one in moved)
    row["costs"] = None if any(one["costs"] is None for one in moved) else math.fsum(one["costs"] for one in moved)
    row["gain"] = row["change"] - row["flow"]
    days = (row["to_session"] - row["from_session"]).days
    weighted = math.fsum(
        one["flow"] * (row["to_session"] - (one["before_of"] if one["flow"] > 0 else one["trading_date"])).days / days
        for one in moved
        if one["flow"]
    )
    base = row["equity_from"] + weighted
    row["money_weighted"] = row["gain"] / base if base > 0 else None
    lowest = min(known, key=lambda one: (one["drawdown"], one["trading_date"]))
    row |= {"time_weighted": last["time_weighted"], "drawdown": last["drawdown"], "max_drawdown": lowest["drawdown"]}
    row["max_drawdown_on"] = lowest["trading_date"] if lowest["drawdown"] < 0 else None
    return row


def views(home: Home, accounts: Accounts, curve: list[Row]):
    rates = shown_rates(Books(home))
    yield Recomputation("mart.fee_rate_shown", ("account_no", "trading_date"), rates)
    costs = Costs(accounts, rates)
    keys = ("account_no", "kind", "order_id", "reported_on")
    yield Recomputation("mart.account_cost", keys, costs.rows, {"rate": 1e-11})
    sessions = account_sessions(home, account_days(curve, costs.rows))
    sessions += total_sessions(sessions)
    amounts = dict.fromkeys(("change", "price_gain", "cash_flow", "flow"), AMOUNT) | {"residual": 0.011}
    day = ("account_no", "trading_date")
    yield Recomputation("mart.account_return", day, sessions, amounts | {"time_weighted": RETURN})
    known = sorted(row["trading_date"] for row in sessions if row["account_no"] == "ALL" and row["equity"] is not None)
    benchmark = {
        row["trading_date"]: float(row["index_value"])
        for row in home.table("market.index_summary")
        if plain(row["index_code"]) == "HNX30" and row["index_value"]
    }
    periods = {}
    for first in (known[0], known[len(known) // 3]) if known else ():
        growth = Growth(home, sessions, first, known[-1], benchmark)
        call = f"(DATE '{first}', DATE '{known[-1]}', benchmark := 'HNX30')"
        rows = [row for own in growth.rows.values() for row in own]
        returns = dict.fromkeys(("time_weighted", "money_weighted", "drawdown", "max_drawdown", "benchmark_return"), RETURN)
        returns |= dict.fromkeys(("change", "gain", "flow"), AMOUNT)
        yield Recomputation(f"mart.account_growth_between{call}", day, rows, returns)
        periods[first, known[-1]] = growth.periods()
        yield Recomputation(f"mart.account_return_between{call}", ("account_no",), periods[first, known[-1]], returns)
    return costs.rows, periods
