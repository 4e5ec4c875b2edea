"""What account rules rest on: positions and cash of two complete snapshots, beside what happened between them."""

import math
from collections import defaultdict
from datetime import date, datetime, time, timedelta

from compare import Recomputation
from facts import DIVIDEND_TAX, exchange_time, kind_of
from prices import number
from published import Home, Row
from references import Adjustment

REACH = 45
SALE_TAX = 0.001
MOST_FEE = 0.005
LOAN_RATE = 0.20
# Amounts of up to 1e11 VND, as DOUBLE.
AMOUNT = 1e-3


class Books:
    """Snapshots, and what they hold of an account, by snapshot."""

    def __init__(self, home: Home):
        self.snapshots: dict[str, list[Row]] = defaultdict(list)
        for row in home.table("account.snapshot"):
            if row["account_no"] != "*":
                self.snapshots[row["account_no"]].append(row)
        self.orders = self.grouped(home, "account.order_book")
        self.equities = self.grouped(home, "account.equity_position")
        self.contracts = self.grouped(home, "account.derivative_position_summary")
        self.balances = {key: rows[0] for key, rows in self.grouped(home, "account.equity_balance").items()}
        self.sessions = {
            row["trading_date"]
            for relation in ("market.daily_summary", "market.price_limit")
            for row in home.table(relation)
        }
        self.last_dates = {row["symbol"]: row["last_trading_date"] for row in home.table("market.security")}

    @staticmethod
    def grouped(home: Home, relation: str) -> dict[tuple, list[Row]]:
        groups: dict[tuple, list[Row]] = defaultdict(list)
        for row in home.table(relation):
            groups[row["account_no"], row["snapshot_id"]].append(row)
        return groups

    def pairs(self, day: date):
        """The latest snapshot of the day, where it is complete, and the complete one of the session before it."""
        for account, snapshots in self.snapshots.items():
            of_day = sorted((row for row in snapshots if row["as_of"] == day), key=lambda row: row["received_at"])
            before = [row for row in snapshots if row["as_of"] < day and row["state"] == "complete"]
            if not of_day or of_day[-1]["state"] != "complete" or not before:
                continue
            last = max(before, key=lambda row: (row["as_of"], row["received_at"]))
            yield account, of_day[-1], last

    def sessions_since(self, before: date, day: date) -> int | None:
        if day not in self.sessions or (day - before).days > REACH:
            return None
        return sum(before < session <= day for session in self.sessions)

    def positions(self, account: str, snapshot: str) -> dict[str, Row]:
        """Quantities, net of contracts; shares to come."""
        held = {
            row["symbol"]: {"relation": "account.equity_position"}
            | {"quantity": row["quantity"], "dividend_quantity": row["dividend_quantity"]}
            for row in self.equities[account, snapshot]
        }
        for row in self.contracts[account, snapshot]:
            relation = "account.derivative_position_summary"
            held[row["symbol"]] = {"relation": relation, "quantity": row["net"], "dividend_quantity": 0}
        return held


def position_match(books: Books, adjustment: Adjustment, day: date) -> list[Row]:
    rows = []
    for account, now, before in books.pairs(day):
        held, held_before = (books.positions(account, one["snapshot_id"]) for one in (now, before))
        fills = new_fills(books, account, now, before)
        key = {"account_no": account, "snapshot_id": now["snapshot_id"], "before_id": before["snapshot_id"]}
        key |= {"as_of": day, "before_of": before["as_of"], "sessions": books.sessions_since(before["as_of"], day)}
        for symbol in held.keys() | held_before.keys() | fills.keys():
            row = matched(symbol, held.get(symbol), held_before.get(symbol), fills.get(symbol, []))
            factors = [event["factor"] for event in ex_dates(adjustment, symbol, before["as_of"], day)]
            row["adjustment_factor"] = math.prod(factors) if factors else None
            row["entitled"] = row["quantity_before"] * (1 / math.prod(factors) - 1) if factors and math.prod(factors) < 1 else 0.0
            ended = has_ended(books.last_dates.get(symbol), day, row["quantity"])
            is_contract = row["relation"] == "account.derivative_position_summary"
            row["expired"] = row["quantity_before"] + row["bought"] - row["sold"] if is_contract and ended else 0
            known = all(quantity is not None and side in ("B", "S") for side, quantity in fills.get(symbol, []))
            expected = row["quantity_before"] + row["bought"] - row["sold"] + row["from_dividends"] - row["expired"]
            row["expected_quantity"] = expected if known else None
            row["residual"] = row["quantity"] - expected if known else None
            rows.append(key | {"symbol": symbol} | row)
    return rows


def new_fills(books: Books, account: str, now: Row, before: Row) -> dict[str, list[tuple]]:
    earlier = {row["order_id"]: row["filled_qty"] for row in books.orders[account, before["snapshot_id"]]}
    fills: dict[str, list[tuple]] = defaultdict(list)
    for order in books.orders[account, now["snapshot_id"]]:
        filled, filled_before = order["filled_qty"], earlier.get(order["order_id"], 0)
        quantity = None if None in (filled, filled_before) else filled - filled_before
        fills[order["symbol"]].append((order["side"], quantity))
    return fills


def matched(symbol: str, now: Row | None, before: Row | None, fills: list[tuple]) -> Row:
    nothing = {"quantity": 0, "dividend_quantity": 0}
    relation = (now or before or {}).get("relation")
    if relation is None:
        is_future = kind_of(symbol) == "future"
        relation = f"account.{'derivative_position_summary' if is_future else 'equity_position'}"
    sums = {side: sum(quantity or 0 for own, quantity in fills if own == side) for side in "BS"}
    to_come_before, to_come = ((one or nothing)["dividend_quantity"] or 0 for one in (before, now))
    return {
        "relation": relation,
        "quantity_before": (before or nothing)["quantity"],
        "quantity": (now or nothing)["quantity"],
        "bought": sums["B"],
        "sold": sums["S"],
        "dividend_before": to_come_before,
        "dividend_quantity": to_come,
        "from_dividends": max(to_come_before - to_come, 0),
    }


def has_ended(last: date | None, day: date, quantity: int | None) -> bool:
    return last is not None and (last < day or (last == day and not quantity))


def ex_dates(adjustment: Adjustment, symbol: str, after: date, until: date) -> list[Row]:
    """Breaks of reference prices that are corporate actions, whether declared or not."""
    start = max(after + timedelta(days=1), until - timedelta(days=REACH))
    return [
        row
        for row in adjustment.compared
        if row["symbol"] == symbol
        and start <= row["ex_date"] <= until
        and row["is_event"]
        and row["basis_kind"] != "settlement"
    ]


def sales_rates(books: Books, account: str) -> list[tuple[date, str, float]]:
    """Days whose sales show the fee rate, oldest first, each with its latest complete snapshot."""
    latest: dict[date, Row] = {}
    for row in sorted(books.snapshots[account], key=lambda row: row["received_at"]):
        if row["state"] == "complete":
            latest[row["as_of"]] = row
    rates = []
    for as_of, snapshot in sorted(latest.items()):
        key = (account, snapshot["snapshot_id"])
        sold = math.fsum(
            float(order["filled_qty"]) * float(order["avg_price"])
            for order in books.orders[key]
            if order["side"] == "S" and order["filled_qty"] and order["avg_price"] is not None
            and order["input_at"] and exchange_time(order["input_at"]).date() == as_of
        )  # fmt: skip
        received = number(books.balances[key]["sell_t0"]) if key in books.balances else None
        rate = 1 - received / sold - SALE_TAX if sold and received is not None else None
        if rate is not None and -1e-12 <= rate <= MOST_FEE + 1e-12:
            rates.append((as_of, snapshot["snapshot_id"], rate))
    return rates


def fee_rate(books: Books, day: date) -> list[Row]:
    rows = []
    for account in books.snapshots:
        shown = [one for one in sales_rates(books, account) if day - timedelta(days=365) <= one[0] <= day]
        if shown:
            rows.append({"account_no": account, "shown_on": shown[-1][0], "fee_rate": shown[-1][2]})
    return rows


def cash_match(books: Books, adjustment: Adjustment, day: date) -> list[Row]:
    rates = {row["account_no"]: row for row in fee_rate(books, day)}
    rows = []
    for account, now, before in books.pairs(day):
        keys = [(account, one["snapshot_id"]) for one in (now, before)]
        if all(key in books.balances for key in keys):
            cash, cash_before = (Cash(books.balances[key]) for key in keys)
            row = {"account_no": account, "snapshot_id": now["snapshot_id"], "before_id": before["snapshot_id"]}
            row |= {"as_of": day, "before_of": before["as_of"]}
            row["sessions"] = books.sessions_since(before["as_of"], day)
            row |= traded(books, *keys)
            most = dividend_most(books, adjustment, row)
            rows.append(row | Cash.between(cash_before, cash, row, rates.get(account, {}), most, is_whole(before)))
    return rows


def is_whole(snapshot: Row) -> bool:
    """Taken when its session was over."""
    return exchange_time(snapshot["received_at"]) >= datetime.combine(snapshot["as_of"], time(15))


def traded(books: Books, key: tuple, key_before: tuple) -> Row:
    def amounts(orders: list[Row]) -> dict[str, float]:
        return {
            order["order_id"]: float(order["filled_qty"]) * float(order["avg_price"])
            for order in orders
            if order["filled_qty"] and order["filled_qty"] > 0 and order["avg_price"] is not None
        }

    earlier, later = amounts(books.orders[key_before]), amounts(books.orders[key])
    sides = {order["order_id"]: order["side"] for order in books.orders[key]}
    return {
        f"{name}_value": math.fsum(value - earlier.get(order, 0) for order, value in later.items() if sides[order] == side)
        for side, name in (("B", "bought"), ("S", "sold"))
    }


def dividend_most(books: Books, adjustment: Adjustment, row: Row) -> float:
    """What ex-dates in between may have paid at most: shares held before or bought, at the fall and a tick more."""
    held = books.positions(row["account_no"], row["before_id"])
    bought: dict[str, int] = defaultdict(int)
    for order in books.orders[row["account_no"], row["snapshot_id"]]:
        if order["side"] == "B":
            bought[order["symbol"]] += order["filled_qty"] or 0
    return math.fsum(
        ((held.get(symbol) or {"quantity": 0})["quantity"] + bought[symbol])
        * float(event["previous_basis"] - event["ref_price"] + event["tick"])
        for symbol in {order for order in bought} | {symbol for symbol, one in held.items() if one["relation"].endswith("equity_position")}
        for event in ex_dates(adjustment, symbol, row["before_of"], row["as_of"])
    )


class Cash:
    """One balance, as numbers."""

    def __init__(self, balance: Row):
        self.balance, self.dividend = number(balance["account_balance"]), number(balance["dividend"])
        self.interest = float(balance["interest_loan"] or 0)
        self.loan = number(balance["total_debt"]) - self.interest - float(balance["overdue_fee_loan"] or 0)
        self.sell, self.buy = ([number(balance[f"{side}_t{n}"]) for n in range(3)] for side in ("sell", "buy"))

    def between(self, now: "Cash", row: Row, rate: Row, dividend_most: float, before_is_whole: bool) -> Row:
        """Self is the balance before. T+2: after one session t1 has settled, after two t0 too."""
        day, before_of, sessions, bought = row["as_of"], row["before_of"], row["sessions"], row["bought_value"]
        settled = [
            before[1] + before[2] + (before[0] if sessions == 2 else 0) - later[2]
            for before, later in ((self.sell, now.sell), (self.buy, now.buy))
        ]
        loan_change, dividends = now.loan - self.loan, max(self.dividend - now.dividend, 0)
        interest = max(self.interest - now.interest, 0)
        new_buys = now.buy[0] + (now.buy[1] if sessions == 2 else 0)
        fees = None if "fee_rate" not in rate else bought * rate["fee_rate"]
        if bought == 0 or new_buys > bought * 1.0001:
            fees = 0.0
        rounding = bought * 0.00005 if fees else 0.0
        expected = self.balance + settled[0] - settled[1] - (fees or 0) + dividends + loan_change - interest
        unknown = unknown_because(sessions, before_of, before_is_whole)
        unsure = MOST_FEE * bought if fees is None else 0.0
        residual = now.balance - round(expected, 2)
        interest_most = 0.0
        if interest > 0 or (day.year, day.month) > (before_of.year, before_of.month):
            interest_most = max(self.loan, now.loan, 0) * LOAN_RATE * (day - before_of).days / 365
        dividends_most = max(self.dividend - now.dividend + dividend_most, 0) - dividends
        return {
            "balance_before": self.balance,
            "settled_sells": settled[0],
            "settled_buys": settled[1],
            "fee_rate": rate.get("fee_rate"),
            "fee_shown_on": rate.get("shown_on"),
            "fees": fees or 0.0,
            "fees_unknown_most": unsure,
            "dividends": dividends,
            "loan_change": loan_change,
            "interest_paid": interest,
            "expected_balance": None if unknown else round(expected, 2),
            "balance": now.balance,
            "residual": None if unknown else round(min(residual + unsure, 0) if residual < 0 else residual, 2),
            "most_missing": 10 + interest_most + DIVIDEND_TAX * dividends + rounding,
            "most_extra": 10 + dividends_most + rounding,
            "unknown": unknown,
        }


def unknown_because(sessions: int | None, before_of: date, before_is_whole: bool) -> str | None:
    if sessions is None:
        return f"the sessions since the snapshot of {before_of} are not stored"
    if sessions > 2:
        return f"{sessions} sessions follow the snapshot of {before_of}: what settled in between is in neither"
    if sessions == 2 and not before_is_whole:
        return f"the snapshot of {before_of} was taken before its session was over: what was traded after it has settled"
    return None


def views(home: Home, adjustment: Adjustment):
    """Each day on which an account was looked at."""
    books = Books(home)
    for day in sorted({row["as_of"] for snapshots in books.snapshots.values() for row in snapshots}):
        yield Recomputation(f"mart.fee_rate('{day}')", ("account_no",), fee_rate(books, day))
        matches = position_match(books, adjustment, day)
        yield Recomputation(f"mart.position_match('{day}')", ("account_no", "symbol"), matches)
        cash = cash_match(books, adjustment, day)
        amounts = dict.fromkeys(("settled_sells", "settled_buys", "expected_balance", "residual", "loan_change"), AMOUNT)
        yield Recomputation(f"mart.cash_match('{day}')", ("account_no",), cash, amounts | {"most_extra": AMOUNT})
