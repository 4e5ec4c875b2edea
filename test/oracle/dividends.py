"""Cash dividends of accounts: what they were entitled to, and whether their balance shows it paid."""

from collections import defaultdict
from datetime import date

from accounts import AMOUNT, Accounts, by_day
from compare import Recomputation
from facts import DIVIDEND_TAX, contract_of
from lots import signed_quantity
from prices import number
from published import Home, Row
from references import Adjustment

NEAR, ROUNDING = 0.01, 10


def declared_and_observed(home: Home, adjustment: Adjustment) -> list[Row]:
    dividends = [
        {"symbol": row["symbol"], "ex_date": row["ex_date"], "amount": float(row["amount"]), "request_id": row["request_id"]}
        for row in home.table("market.corporate_action")
        if row["kind"] == "cash_dividend" and not row["is_withdrawn"] and row["amount"]
    ]
    for event in adjustment.events:
        if event["state"] == "observed" and event["basis_kind"] != "settlement" and event["ref_price"] < event["previous_basis"]:
            lost = float(event["previous_basis"] - event["ref_price"])
            dividends.append({"symbol": event["symbol"], "ex_date": event["ex_date"], "amount": lost, "request_id": None})
    return dividends


def months_later(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    next_month = date(year + 1, 1, 1) if month == 11 else date(year, month + 2, 1)
    last = (next_month - date(year, month + 1, 1)).days
    return date(year, month + 1, min(day.day, last))


class Account:
    """One equity account: its days, and the dividends to come of each."""

    def __init__(self, accounts: Accounts, number_of: str, to_come: dict[date, float | None]):
        self.accounts, self.number, self.to_come = accounts, number_of, to_come
        self.days = sorted(day for account, day in accounts.whole if account == number_of)

    def entitled(self, symbol: str, ex_date: date) -> tuple[date, int] | None:
        before = [day for day in self.days if day < ex_date]
        if not before:
            return None
        position = self.accounts.held[self.number, before[-1]].get(symbol)
        traded = sum(
            signed_quantity(fill)
            for fill in self.accounts.fills
            if (fill["account_no"], fill["symbol"]) == (self.number, symbol) and before[-1] < fill["trading_date"] < ex_date
        )
        return before[-1], int((position["quantity"] if position else 0) + traded)

    def fall(self, day: date) -> float:
        earlier = [one for one in self.days if one < day]
        before, now = self.to_come.get(earlier[-1]) if earlier else None, self.to_come.get(day)
        return before - now if None not in (before, now) else 0.0

    def paid(self, own: list[Row]) -> None:
        """On each day the dividends that its fall names; where it names none, those that no longer have room."""
        for day in self.days:
            fall, open_ones = self.fall(day), [row for row in own if row["first"] and row["first"] < day]
            if fall <= 0:
                continue
            exact = [row for row in open_ones if any(abs(fall - row[name]) <= ROUNDING + NEAR * row[name] for name in ("gross", "net"))]
            least = {id(row): (1 - NEAR) * row["net"] - ROUNDING for row in open_ones}
            within = [row for row in open_ones if fall >= least[id(row)] and self.to_come[day] < least[id(row)]]
            for row in exact or within:
                row["pay_date"] = row["pay_date"] or day


def dividends(home: Home, accounts: Accounts, adjustment: Adjustment, changes: list[Row]) -> list[Row]:
    to_come: dict[str, dict[date, float | None]] = defaultdict(dict)
    for day, balance in by_day(home, "account.equity_balance", accounts.whole):
        to_come[day["account_no"]][day["trading_date"]] = number(balance["dividend"])
    known = {(row["account_no"], row["trading_date"], row["symbol"]): row for row in changes}
    everything = declared_and_observed(home, adjustment)
    rows = []
    for number_of in {account for account, _ in accounts.whole}:
        account = Account(accounts, number_of, to_come[number_of])
        if accounts.whole[number_of, account.days[-1]]["account_type"] == "DERIVATIVE":
            continue
        own = [row for dividend in everything if (row := entitled_row(account, dividend, known))]
        valued(account, own)
        account.paid(own)
        rows += [finished(account, row) for row in own]
    return rows


def entitled_row(account: Account, dividend: Row, known: dict) -> Row | None:
    entitled = account.entitled(dividend["symbol"], dividend["ex_date"])
    if contract_of(dividend["symbol"]) or entitled is None or entitled[1] <= 0:
        return None
    first = next((day for day in account.days if day >= dividend["ex_date"]), None)
    change = known.get((account.number, first, dividend["symbol"]))
    if dividend["request_id"] is None and change and (change["announced"] or change["unexplained_quantity"] > 0):
        return None
    row = {"account_no": account.number, "entitled_on": entitled[0], "shares_entitled": entitled[1], "first": first, "pay_date": None}
    return row | dividend


def valued(account: Account, own: list[Row]) -> None:
    together: dict[date | None, list[Row]] = defaultdict(list)
    for row in own:
        together[row["first"]].append(row)
    for first, rows in together.items():
        silent = [row for row in rows if row["request_id"] is None]
        for row in rows:
            row["gross"] = row["shares_entitled"] * row["amount"]
            row["source"] = "reference price" if row in silent else "declared"
        declared = sum(row["gross"] for row in rows if row not in silent)
        rest = (-account.fall(first) if first else 0.0) - declared
        if len(silent) == 1 and rest > ROUNDING:
            silent[0] |= {"gross": rest, "source": "balance"}
        for row in rows:
            row["net"] = row["gross"] * (1 - DIVIDEND_TAX)


def finished(account: Account, row: Row) -> Row:
    late = account.days[-1] > months_later(row["ex_date"], 6)
    state = "paid" if row["pay_date"] else "overdue" if late else "expected"
    return row | {"gross_per_share": row["gross"] / row["shares_entitled"], "tax": row["gross"] * DIVIDEND_TAX, "state": state}


def views(home: Home, accounts: Accounts, adjustment: Adjustment, changes: list[Row]):
    rows = dividends(home, accounts, adjustment, changes)
    apart = dict.fromkeys(("gross", "net", "tax"), AMOUNT)
    yield Recomputation("mart.dividend_expected", ("account_no", "symbol", "ex_date"), rows, apart)
    return rows
