"""Round trips of accounts: lots are kept one by one, as a bookkeeper would."""

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date, timedelta

from accounts import AMOUNT, MULTIPLIER, Accounts, ex_events
from compare import Recomputation
from facts import closed_days, contract_of
from prices import number
from published import Row
from references import Adjustment

CONTRACT_FEES = "fees of contracts are not reported"
NOTHING = 1e-6


@dataclass
class Event:
    """What changes a position; scale: shares after per share before."""

    told_on: date
    stage: int
    day: date
    kind: str
    quantity: float
    price: float | None = None
    cost: float | None = None
    missing: str | None = None
    order: Row | None = None
    scale: float = 1.0
    n: int = 0

    def place(self) -> tuple:
        order = self.order or {"changed_at": None, "order_id": ""}
        return (self.told_on, self.stage, self.day, self.kind == "fill", order["changed_at"], order["order_id"])


@dataclass
class Lot:
    event: Event
    quantity: float
    price: float | None
    cost: float | None
    missing: str | None


class Lots:
    """The lots of one account and symbol, by both methods."""

    def __init__(self, account: str, symbol: str, as_of: date, sessions: list[date]):
        self.account, self.symbol, self.as_of, self.sessions = account, symbol, as_of, sessions
        self.multiplier = MULTIPLIER if contract_of(symbol) else 1
        self.rows: list[Row] = []
        self.single: list[Lot] = []
        self.pool: Lot | None = None

    def run(self, events: list[Event]) -> list[Row]:
        for n, event in enumerate(sorted(events, key=Event.place), 1):
            event.n = n
            if event.kind == "new shares":
                self.spread(event.scale)
            else:
                self.trade(event)
        for lot in self.single:
            self.report("fifo", lot, None, lot.quantity)
        if self.pool:
            self.report("average", self.pool, None, self.pool.quantity)
        return self.rows

    def spread(self, scale: float) -> None:
        """What was paid for a lot is now for other shares."""
        for lot in [*self.single, *([self.pool] if self.pool else [])]:
            lot.quantity *= scale
            lot.price = None if lot.price is None else lot.price / scale
            lot.cost = None if lot.cost is None else lot.cost / scale

    def trade(self, event: Event) -> None:
        left = event.quantity
        per_share = None if event.cost is None else event.cost / abs(event.quantity)
        if self.pool and self.pool.quantity * left < 0:
            closed = min(abs(left), abs(self.pool.quantity))
            self.report("average", self.pool, event, closed, per_share)
            self.close(closed, event, per_share)
            left += closed if left < 0 else -closed
        if abs(left) <= NOTHING:
            return
        self.single.append(Lot(event, left, event.price, per_share, event.missing))
        if self.pool is None:
            self.pool = replace(self.single[-1])
            return
        total = self.pool.quantity + left
        for name, value in (("price", event.price), ("cost", per_share)):
            before = getattr(self.pool, name)
            mixed = None if None in (before, value) else (before * self.pool.quantity + value * left) / total
            setattr(self.pool, name, mixed)
        reasons = [reason for reason in (self.pool.missing, event.missing) if reason]
        self.pool = replace(self.pool, quantity=total, missing=min(reasons, default=None))

    def close(self, closed: float, event: Event, per_share: float | None) -> None:
        rest = closed
        while rest > NOTHING:
            lot = self.single[0]
            part = min(rest, abs(lot.quantity))
            self.report("fifo", lot, event, part, per_share)
            lot.quantity -= part if lot.quantity > 0 else -part
            rest -= part
            if abs(lot.quantity) <= NOTHING:
                self.single.pop(0)
        self.pool.quantity -= closed if self.pool.quantity > 0 else -closed
        if abs(self.pool.quantity) <= NOTHING:
            self.pool = None

    def report(self, method: str, lot: Lot, closing: Event | None, quantity: float, exit_cost: float | None = None) -> None:
        quantity, long = abs(quantity), lot.quantity > 0
        opened, until = lot.event, closing.day if closing else self.as_of
        row = {"account_no": self.account, "symbol": self.symbol, "method": method, "lot": opened.n, "lot_quantity": quantity}
        row |= {"direction": "long" if long else "short", "multiplier": self.multiplier, "opened_with": opened.kind, "opened_on": opened.day}
        row["opened_by"] = opened.order["order_id"] if opened.order and method == "fifo" else None
        row |= {"closing": closing and closing.n, "closed_with": closing and closing.kind, "closed_on": closing and closing.day}
        row["closed_by"] = closing.order["order_id"] if closing and closing.order else None
        row |= {"entry_price": lot.price, "exit_price": closing and closing.price}
        for side in ("entry", "exit"):
            price = row[f"{side}_price"]
            row[f"{side}_value"] = None if price is None else quantity * price * self.multiplier
        dated = opened.kind == "fill"
        row["holding_days"] = (until - opened.day).days if dated else None
        counted = bisect_right(self.sessions, until) - bisect_right(self.sessions, opened.day)
        row["holding_sessions"] = counted if dated else None
        values = (row["entry_value"], row["exit_value"])
        row["profit"] = None if None in values else (values[1] - values[0]) * (1 if long else -1)
        row["cost"] = None if None in (lot.cost, exit_cost) else quantity * (lot.cost + exit_cost)
        known = None not in (row["profit"], row["cost"])
        row["profit_after_cost"] = row["profit"] - row["cost"] if known else None
        row["missing"] = None
        if closing and not known:
            row["missing"] = self.reason(lot, closing, values)
        self.rows.append(row)

    def reason(self, lot: Lot, closing: Event, values: tuple) -> str:
        if closing.kind == "transfer":
            return "not sold: transferred, or by an order that is not reported"
        if values[0] is None:
            return "what was paid is not known"
        if values[1] is None:
            return "what was received is not known"
        return lot.missing or closing.missing or "a cost is not known"


def orders_of(accounts: Accounts, costs: list[Row]) -> dict[tuple, list[Event]]:
    """All reports of an order are one fill."""
    told: dict[tuple, list[Row]] = defaultdict(list)
    for cost in costs:
        if cost["kind"] != "interest":
            told[cost["account_no"], cost["order_id"], cost["reported_on"]].append(cost)
    reports: dict[tuple, list[Row]] = defaultdict(list)
    for fill in accounts.fills:
        if not fill["is_opening"]:
            reports[fill["account_no"], fill["symbol"], fill["order_id"]].append(fill)
    orders: dict[tuple, list[Event]] = defaultdict(list)
    for (account, symbol, order), fills in reports.items():
        signed = [signed_quantity(fill) for fill in fills]
        quantity = sum(signed)
        if quantity == 0:
            continue
        prices = [number(fill["price"]) for fill in fills]
        price = None if None in prices else sum(map(float.__mul__, signed, prices)) / quantity
        own = [cost for fill in fills for cost in told[account, order, fill["told_on"]]]
        amounts = [cost["cost"] for cost in own]
        event = Event(min(fill["told_on"] for fill in fills), 1, max(fill["trading_date"] for fill in fills), "fill", quantity, price)
        event.cost = None if None in amounts else sum(amounts)
        event.missing = min((cost["missing"] for cost in own if cost["missing"]), default=None)
        event.order = {"order_id": order, "changed_at": max(fill["changed_at"] for fill in fills)}
        orders[account, symbol].append(event)
    return orders


def signed_quantity(fill: Row) -> float:
    return float(fill["quantity"] if fill["side"] == "B" else -fill["quantity"])


def owned(position: Row | None) -> float:
    return float(position["quantity"] + (position["dividend_quantity"] or 0)) if position else 0.0


def other_events(accounts: Accounts, adjustment: Adjustment, changes: list[Row]) -> dict[tuple, list[Event]]:
    events: dict[tuple, list[Event]] = defaultdict(list)
    for position in accounts.positions:
        account, day = position["account_no"], position["trading_date"]
        if accounts.whole[account, day]["before_of"] is None and owned(position):
            price = None if position["dividend_quantity"] else number(position["average_price"])
            events[account, position["symbol"]].append(Event(day, 0, day, "opening", owned(position), price, 0.0))
    for change in changes:
        account, day, symbol = change["account_no"], change["trading_date"], change["symbol"]
        if change["expired"]:
            event = Event(day, 2, day, "expiry", -float(change["expired"]), number(change["expired_at"]), None, CONTRACT_FEES)
            events[account, symbol].append(event)
        now, before = (owned(accounts.held[account, one].get(symbol)) for one in (day, change["before_of"]))
        extra = now - before - change["bought"] + change["sold"] + change["expired"]
        if extra:
            event = entitlement(accounts, adjustment, change, now, extra) or Event(day, 3, day, "transfer", extra)
            events[account, symbol].append(event)
    return events


def entitlement(accounts: Accounts, adjustment: Adjustment, change: Row, now: float, extra: float) -> Event | None:
    """New shares that ex-dates since the snapshot before have room for."""
    day = change["trading_date"]
    since = ex_events(adjustment, change["symbol"], change["before_of"], day)
    if not since:
        return None
    lowest = highest = 1.0
    for event in since:
        factors = [event[name] for name in ("factor", "observed_factor", "declared_factor") if event[name] is not None]
        lowest, highest = lowest * min(factors), highest * max(factors)
    ex_date = max(event["ex_date"] for event in since)
    later = sum(
        signed_quantity(fill)
        for fill in accounts.fills
        if (fill["account_no"], fill["symbol"], fill["told_on"]) == (change["account_no"], change["symbol"], day)
        and fill["trading_date"] >= ex_date
    )
    entitled = now - extra - later
    if entitled <= 0 or entitled + extra <= 0:
        return None
    least, most = (min(entitled * (1 / highest - 1), 0) * 1.02 - 1, max(entitled * (1 / lowest - 1), 0) * 1.02 + 1)
    if not least <= extra <= most:
        return None
    return Event(day, 1, ex_date, "new shares", 0.0, scale=(entitled + extra) / entitled)


def account_lots(accounts: Accounts, adjustment: Adjustment, changes: list[Row], costs: list[Row]) -> list[Row]:
    events = orders_of(accounts, costs)
    for key, own in other_events(accounts, adjustment, changes).items():
        events[key] += own
    latest: dict[str, date] = {}
    for account, day in accounts.whole:
        latest[account] = max(day, latest.get(account, day))
    closed, first = closed_days(), min(day for _, day in accounts.whole) - timedelta(days=30)
    span = [first + timedelta(days=number) for number in range((max(latest.values()) - first).days + 1)]
    sessions = [day for day in span if day.isoweekday() <= 5 and day not in closed]
    return [row for (account, symbol), own in events.items() for row in Lots(account, symbol, latest[account], sessions).run(own)]


def views(accounts: Accounts, adjustment: Adjustment, changes: list[Row], costs: list[Row]):
    rows = account_lots(accounts, adjustment, changes, costs)
    key = ("account_no", "symbol", "method", "direction", "lot", "closing")
    apart = dict.fromkeys(("profit", "profit_after_cost", "cost"), AMOUNT) | {"lot_quantity": NOTHING}
    yield Recomputation("mart.account_lot", key, rows, apart)
