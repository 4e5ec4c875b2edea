"""Views of accounts: days, fills, positions and their changes, profit, equity. From complete snapshots alone."""

import math
from collections import defaultdict
from datetime import date

from compare import Recomputation
from facts import DIVIDEND_TAX, contract_of, exchange_time
from prices import number, positive
from published import Home, Row
from references import Adjustment
from windows import answers

TYPES = {"1": "CASH", "6": "MARGIN", "8": "DERIVATIVE"}
MULTIPLIER = 100_000
# Sums of amounts of up to 1e10 VND.
AMOUNT = 1e-3


class Accounts:
    """Days of each account in order, and what their complete snapshots name."""

    def __init__(self, home: Home):
        self.home = home
        self.days = account_days(home)
        self.whole = {(row["account_no"], row["trading_date"]): row for row in self.days if row["snapshot_id"]}
        self.positions = account_positions(home, self.whole)
        self.fills = account_fills(home, self.whole)
        self.held: dict[tuple, dict[str, Row]] = defaultdict(dict)
        for row in self.positions:
            self.held[row["account_no"], row["trading_date"]][row["symbol"]] = row
        self.summaries = home.by_symbol("market.daily_summary")
        self.limits = home.by_symbol("market.price_limit")
        self.answered = answers(home)
        self.reported_days = {row["trading_date"] for row in home.table("market.daily_summary")}
        self.last_dates = {row["symbol"]: row["last_trading_date"] for row in home.table("market.security")}


    def is_current(self, symbol: str, priced_on: date, day: date) -> bool:
        """Whether nothing matched after priced_on: every session since then is known, the day itself included."""
        reported = {row["trading_date"] for row in self.summaries.get(symbol, [])}
        listed = {row["trading_date"] for row in self.limits.get(symbol, [])}

        def is_known(session: date) -> bool:
            is_answered = ("*", session) in self.answered or (symbol, session) in self.answered
            return session in reported or (session in listed and is_answered and session in self.reported_days)

        return all(is_known(session) for session in listed | {day} if priced_on < session <= day)


def account_days(home: Home) -> list[Row]:
    snapshots: dict[str, dict[date, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in home.table("account.snapshot"):
        if row["account_no"] != "*":
            snapshots[row["account_no"]][row["as_of"]].append(row)
    types = {row["account_no"]: row["account_type"] for row in home.table("account.account")}
    rows = []
    for account, days in snapshots.items():
        before = None
        for day in sorted(days):
            taken = sorted(days[day], key=lambda row: row["received_at"])
            complete = [row for row in taken if row["state"] == "complete"]
            latest = complete[-1] if complete else None
            rows.append(
                {
                    "account_no": account,
                    "account_type": types.get(account) or TYPES.get(account[-1]),
                    "trading_date": day,
                    "state": "complete" if latest else "partial",
                    "snapshot_id": latest["snapshot_id"] if latest else None,
                    "received_at": latest["received_at"] if latest else None,
                    "key_name": (latest or taken[-1])["key_name"],
                    "missing": None if latest else taken[-1]["missing"],
                    "before_of": before,
                }
            )
            before = day if latest else before
    return rows


def by_day(home: Home, relation: str, whole: dict) -> list[tuple[Row, Row]]:
    """Rows of complete snapshots that count, each with its day."""
    days = {(row["account_no"], row["snapshot_id"]): row for row in whole.values()}
    return [
        (day, row)
        for row in home.table(relation)
        if (day := days.get((row["account_no"], row["snapshot_id"]))) is not None
    ]


def account_positions(home: Home, whole: dict) -> list[Row]:
    rows = []
    for day, position in by_day(home, "account.equity_position", whole):
        figures = (position["quantity"], position["dividend_quantity"], positive(position["cost_price"]), 1)
        rows.append(position_row(day, position["symbol"], *figures))
    for day, position in by_day(home, "account.derivative_position_summary", whole):
        net = position["net"]
        side = "bid_avg_price" if (net or 0) > 0 else "ask_avg_price"
        price = positive(position[side]) if net else None
        rows.append(position_row(day, position["symbol"], net, None, price, MULTIPLIER))
    return rows


def position_row(day: Row, symbol: str, quantity, to_come, price, multiplier: int) -> Row:
    return {
        **{name: day[name] for name in ("account_no", "trading_date", "snapshot_id")},
        "symbol": symbol,
        "quantity": quantity,
        "dividend_quantity": to_come,
        "average_price": price,
        "multiplier": multiplier,
    }


def account_contracts(home: Home, whole: dict) -> list[Row]:
    closed = {
        (row["snapshot_id"], row["account_no"], row["symbol"]): row["long"]
        for row in home.table("account.derivative_position")
        if row["side_of_book"] == "close"
    }
    stated = ("symbol", "long", "short", "net", "trade_price", "trading_pl", "floating_pl")
    return [
        {
            **{name: day[name] for name in ("account_no", "trading_date")},
            **{name: contract[name] for name in stated},
            "average_bought": positive(contract["bid_avg_price"]),
            "average_sold": positive(contract["ask_avg_price"]),
            "closed_quantity": closed.get((day["snapshot_id"], day["account_no"], contract["symbol"])),
            "contract_value": times(contract["net"], contract["trade_price"], MULTIPLIER),
        }
        for day, contract in by_day(home, "account.derivative_position_summary", whole)
    ]


def account_max_quantities(home: Home, whole: dict) -> list[Row]:
    stated = ("symbol", "price", "max_buy_qty", "max_sell_qty", "margin_ratio", "purchasing_power")
    return [
        {
            **{name: day[name] for name in ("account_no", "trading_date")},
            **{name: quantity[name] for name in stated},
            "max_buy_value": times(
                quantity["max_buy_qty"], quantity["price"], MULTIPLIER if day["account_type"] == "DERIVATIVE" else 1
            ),
        }
        for day, quantity in by_day(home, "account.max_quantity", whole)
    ]


def times(quantity, price, multiplier: int):
    return None if quantity is None or price is None else quantity * price * multiplier


def account_fills(home: Home, whole: dict) -> list[Row]:
    """What is new of an order since the snapshot before that named it."""
    rows, seen = [], {}
    books = by_day(home, "account.order_book", whole)
    for day, order in sorted(books, key=lambda pair: pair[0]["trading_date"]):
        filled = order["filled_qty"]
        if filled is None or order["side"] not in ("B", "S"):
            continue
        price = order["avg_price"]
        amount = 0.0 if filled == 0 else None if price is None else float(filled) * float(price)
        key = (day["account_no"], order["order_id"])
        filled_before, amount_before = seen.get(key, (0, 0.0))
        seen[key] = (filled, amount)
        if filled == filled_before:
            continue
        new = None if amount is None or amount_before is None else amount - amount_before
        changed = max((at for at in (order["input_at"], order["modified_at"]) if at), default=None)
        multiplier = MULTIPLIER if contract_of(order["symbol"]) else 1
        rows.append(
            {
                "account_no": day["account_no"],
                "order_id": order["order_id"],
                "told_on": day["trading_date"],
                "symbol": order["symbol"],
                "side": order["side"],
                "trading_date": min(day["trading_date"], exchange_time(changed).date()) if changed else day["trading_date"],
                "changed_at": changed,
                "quantity": filled - filled_before,
                "price": None if new is None else new / (filled - filled_before),
                "value": None if new is None else new * multiplier,
                "multiplier": multiplier,
                "is_opening": day["before_of"] is None,
            }
        )
    return rows


def position_values(accounts: Accounts) -> list[Row]:
    rows = []
    for position in accounts.positions:
        symbol, day = position["symbol"], position["trading_date"]
        price = priced_on = None
        for summary in reversed(accounts.summaries.get(symbol, [])):
            settled = positive(summary["settlement_price"]) if contract_of(symbol) else None
            latest = settled or positive(summary["close"])
            if summary["trading_date"] <= day and latest:
                if (day - summary["trading_date"]).days <= 45:
                    price, priced_on = latest, summary["trading_date"]
                break
        quantity, average = position["quantity"], position["average_price"]
        rows.append(
            position
            | {
                "price": price,
                "priced_on": priced_on,
                "is_current": None if priced_on is None else accounts.is_current(symbol, priced_on, day),
                "market_value": product(quantity, price, position["multiplier"]),
                "dividend_value": product(position["dividend_quantity"] or 0, price),
                "unrealised_pnl": None
                if position["dividend_quantity"]
                else product(
                    quantity, None if None in (price, average) else float(price) - float(average), position["multiplier"]
                ),
            }
        )
    groups: dict[tuple, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["account_no"], row["trading_date"]].append(row)
    for own in groups.values():
        values = [row["market_value"] for row in own]
        whole = None if None in values else math.fsum(map(abs, values))
        for row in own:
            row["weight"] = row["market_value"] / whole if whole else None
    return rows


def product(quantity, price, multiplier: int = 1) -> float | None:
    """0 of something is worth 0 at any price."""
    if quantity == 0:
        return 0.0
    return None if None in (quantity, price) else float(quantity) * float(price) * multiplier


def ex_events(adjustment: Adjustment, symbol: str, after: date, until: date) -> list[Row]:
    return [
        event
        for event in adjustment.events
        if event["symbol"] == symbol and after < event["ex_date"] <= until and event["basis_kind"] != "settlement"
    ]


def position_changes(accounts: Accounts, adjustment: Adjustment) -> list[Row]:
    filled: dict[tuple, list[Row]] = defaultdict(list)
    for fill in accounts.fills:
        if not fill["is_opening"]:
            filled[fill["account_no"], fill["told_on"], fill["symbol"]].append(fill)
    rows = []
    for (account, day), whole in accounts.whole.items():
        if whole["before_of"] is None:
            continue
        now, before = accounts.held[account, day], accounts.held[account, whole["before_of"]]
        traded = {symbol for owner, told_on, symbol in filled if (owner, told_on) == (account, day)}
        for symbol in now.keys() | before.keys() | traded:
            fills = filled[account, day, symbol]
            row = {"account_no": account, "trading_date": day, "before_of": whole["before_of"], "symbol": symbol}
            row |= changed_position(accounts, row, now.get(symbol), before.get(symbol), fills)
            row["has_ex_date"] = bool(ex_events(adjustment, symbol, whole["before_of"], day))
            rows.append(row)
    return rows


def changed_position(accounts: Accounts, key: Row, now: Row | None, before: Row | None, fills: list[Row]) -> Row:
    held_before, held = (one["quantity"] if one else 0 for one in (before, now))
    row: Row = {"quantity_before": held_before, "quantity": held}
    for side, name in (("B", "bought"), ("S", "sold")):
        own = [fill for fill in fills if fill["side"] == side]
        row[name] = sum(fill["quantity"] for fill in own)
        known = all(fill["value"] is not None for fill in fills)
        row[f"{name}_value"] = math.fsum(fill["value"] for fill in own) if known else None
    to_come_before, to_come = ((one["dividend_quantity"] or 0) if one else 0 for one in (before, now))
    row["from_dividends"] = max(to_come_before - to_come, 0)
    row["announced"] = max(to_come - to_come_before, 0)
    last = accounts.last_dates.get(key["symbol"])
    ended = False
    if contract_of(key["symbol"]) and last:
        ended = last < key["trading_date"] or (last == key["trading_date"] and not held)
    row["expired"] = held_before + row["bought"] - row["sold"] if ended else 0
    final = next((one for one in accounts.summaries.get(key["symbol"], []) if one["trading_date"] == last), None)
    row["expired_at"] = None
    if row["expired"] and final:
        row["expired_at"] = positive(final["settlement_price"]) or positive(final["close"])
    explained = held_before + row["bought"] - row["sold"] + row["from_dividends"] - row["expired"]
    row["unexplained_quantity"] = held - explained
    return row


def owned(position: Row | None) -> tuple[float, float | None, int]:
    """Shares with those to come, and what each cost: not known while some are to come."""
    if position is None:
        return 0, None, 1
    to_come = position["dividend_quantity"] or 0
    return position["quantity"] + to_come, None if to_come else position["average_price"], position["multiplier"]


def realised_pnl(accounts: Accounts, adjustment: Adjustment, changes: list[Row]) -> list[Row]:
    """Moving average cost, step by step in the order of what happened to each position."""
    events: dict[tuple, list[tuple]] = defaultdict(list)
    for position in accounts.positions:
        account, day = position["account_no"], position["trading_date"]
        if accounts.whole[account, day]["before_of"] is None:
            event = ((day, 0, day, 0, None, ""), day, "set", *owned(position))
            events[account, position["symbol"]].append(event)
    for fill in accounts.fills:
        if not fill["is_opening"]:
            key = (fill["told_on"], 1, fill["trading_date"], 1, fill["changed_at"], fill["order_id"])
            quantity = fill["quantity"] if fill["side"] == "B" else -fill["quantity"]
            event = (key, fill["trading_date"], "fill", quantity, fill["price"], fill["multiplier"])
            events[fill["account_no"], fill["symbol"]].append(event)
    # Shares to come that no announcement named: of the first snapshot.
    waiting: dict[tuple, int] = defaultdict(int)
    for change in sorted(changes, key=lambda change: change["trading_date"]):
        account, day, symbol = change["account_no"], change["trading_date"], change["symbol"]
        own = events[account, symbol]
        if change["announced"]:
            ex_dates = [event["ex_date"] for event in ex_events(adjustment, symbol, change["before_of"], day)]
            since = max(ex_dates, default=day)
            own.append(((day, 1, since, 0, None, ""), since, "new", change["announced"], 0, 1))
        if change["expired"]:
            own.append(((day, 2, day, 0, None, ""), day, "expiry", -change["expired"], change["expired_at"], MULTIPLIER))
        waiting[account, symbol] += change["announced"] - change["from_dividends"]
        if change["unexplained_quantity"] or (change["from_dividends"] and waiting[account, symbol] < 0):
            held = accounts.held[account, day].get(symbol)
            own.append(((day, 3, day, 0, None, ""), day, "reset", *owned(held)))
    rows = []
    for (account, symbol), own in events.items():
        rows += Position(account, symbol).run(sorted(own, key=lambda event: event[0]))
    return rows


class Position:
    """One position of an account: what is held and its average cost, and a row per day."""

    def __init__(self, account: str, symbol: str):
        self.account, self.symbol = account, symbol
        self.quantity, self.average = 0.0, None
        self.rows: dict[date, Row] = {}
        self.costs: dict[date, list[float | None]] = defaultdict(list)

    def run(self, events: list[tuple]) -> list[Row]:
        for _, day, what, quantity, price, multiplier in events:
            price = number(price)
            row = None if what == "set" else self.day(day)
            if what in ("set", "reset"):
                self.quantity, self.average = float(quantity), price
            else:
                self.trade(row, day, what, float(quantity), price, multiplier)
            if row is not None:
                row["is_rebased"] |= what == "reset"
                row["is_expired"] |= what == "expiry"
                row["quantity"] = self.quantity
                row["average_price"] = self.average if self.quantity else None
        for day, row in self.rows.items():
            costs = self.costs[day]
            if row["closed"] and None not in costs:
                row["closed_at_average"] = math.fsum(costs) / row["closed"]
        return list(self.rows.values())

    def day(self, day: date) -> Row:
        empty = dict.fromkeys(("bought", "bought_value", "sold", "sold_value", "closed", "realised_pnl"), 0.0)
        return self.rows.setdefault(
            day,
            {"account_no": self.account, "symbol": self.symbol, "trading_date": day, "closed_at_average": None}
            | {"is_expired": False, "is_rebased": False}
            | empty,
        )

    def trade(self, row: Row, day: date, what: str, quantity: float, price: float | None, multiplier: int) -> None:
        if what == "fill":
            side = "bought" if quantity > 0 else "sold"
            row[side] += abs(quantity)
            row[f"{side}_value"] += abs(quantity) * price * multiplier
        closes = self.quantity * quantity < 0
        if closes:
            closed = math.copysign(min(abs(quantity), abs(self.quantity)), self.quantity)
            row["closed"] += abs(closed)
            known = None not in (price, self.average)
            self.costs[day].append(abs(closed) * self.average if self.average is not None else None)
            gain = closed * (price - self.average) * multiplier if known else None
            row["realised_pnl"] = None if None in (gain, row["realised_pnl"]) else row["realised_pnl"] + gain
        after = self.quantity + quantity
        if self.quantity == 0 or (closes and abs(quantity) > abs(self.quantity)):
            self.average = price
        elif not closes and after:
            known = None not in (self.average, price)
            self.average = (self.quantity * self.average + quantity * price) / after if known else None
        self.quantity = after


def equity_curve(accounts: Accounts, values: list[Row], changes: list[Row], adjustment: Adjustment) -> list[Row]:
    cash = {
        (day["account_no"], day["trading_date"]): cash_of(balance, is_derivative)
        for relation, is_derivative in (("equity_balance", False), ("derivative_balance", True))
        for day, balance in by_day(accounts.home, f"account.{relation}", accounts.whole)
    }
    equities = {
        (day["account_no"], day["trading_date"]): number(margin["total_equity"])
        for relation in ("equity_margin", "derivative_margin")
        for day, margin in by_day(accounts.home, f"account.{relation}", accounts.whole)
    }
    held, moved = defaultdict(list), defaultdict(list)
    for row in values:
        held[row["account_no"], row["trading_date"]].append(row)
    for row in changes:
        moved[row["account_no"], row["trading_date"]].append(row)
    valued, rows = {}, []
    for day in sorted(accounts.days, key=lambda row: (row["account_no"], row["trading_date"])):
        key = (day["account_no"], day["trading_date"])
        row = {name: day[name] for name in ("account_no", "account_type", "trading_date", "state", "missing", "before_of")}
        row |= valued_day(cash.get(key), held[key])
        row["total_equity"] = equities.get(key)
        row["difference"] = less(row["net_asset_value"], row["total_equity"])
        before = valued.get((day["account_no"], day["before_of"])) if day["state"] == "complete" else None
        shares = unexplained_shares(moved[key], held[key], held[day["account_no"], day["before_of"]])
        row |= day_change(row, before, moved[key], adjustment, shares)
        valued[key] = row
        rows.append(row)
    return rows


def less(amount: float | None, other: float | None) -> float | None:
    return None if None in (amount, other) else amount - other


CASH = ("account_balance", "unsettled_sells", "unsettled_buys", "dividend", "delivery_amount", "total_debt")


def cash_of(balance: Row, is_derivative: bool) -> Row:
    def amounts(*names: str) -> float:
        return math.fsum(float(balance[name] or 0) for name in names)

    row = dict.fromkeys(CASH, 0.0) | {"account_balance": number(balance["account_balance"]), "trading_pl": 0.0}
    if is_derivative:
        row |= {name: amounts(name) for name in ("delivery_amount", "trading_pl")} | {"total_debt": amounts("loan")}
    else:
        row |= {name: amounts(name) for name in ("dividend", "total_debt")}
        row["unsettled_sells"] = amounts("sell_t0", "sell_t1", "sell_t2")
        row["unsettled_buys"] = amounts("buy_t0", "buy_t1", "buy_t2")
    row["is_derivative"] = is_derivative
    net = row["unsettled_sells"] - row["unsettled_buys"] + row["dividend"] + row["delivery_amount"]
    net += row["trading_pl"] - row["total_debt"]
    row["net_cash"] = None if row["account_balance"] is None else row["account_balance"] + net
    return row


def whole_sum(rows: list[Row], name: str) -> float | None:
    """None where one of them is not known."""
    amounts = [row[name] for row in rows]
    return None if None in amounts else math.fsum(amounts)


def valued_day(cash: Row | None, positions: list[Row]) -> Row:
    market, to_come = whole_sum(positions, "market_value"), whole_sum(positions, "dividend_value")
    market_value = None if None in (market, to_come) else market + to_come
    if cash is None:
        names = (*CASH, "net_cash", "positions", "position_value", "net_asset_value", "is_derivative", "priced_on")
        return dict.fromkeys(names) | {"market_value": market_value}
    value = whole_sum(positions, "unrealised_pnl") if cash["is_derivative"] else market_value
    net = None if None in (cash["net_cash"], value) else cash["net_cash"] + value
    closes = [row["trading_date"] if row["is_current"] else row["priced_on"] for row in positions if row["priced_on"]]
    return cash | {
        "priced_on": min(closes, default=None),
        "positions": len(positions), "position_value": value, "market_value": market_value, "net_asset_value": net
    }  # fmt: skip


CHANGED = ("change", "bought_value", "sold_value", "price_gain", "unexplained_cash", "costs_most", "income_most",
           "unexplained_positions", "unexplained_shares", "return_without_flows")  # fmt: skip


def day_change(row: Row, before: Row | None, changes: list[Row], adjustment: Adjustment, shares: float | None) -> Row:
    if before is None:
        return dict.fromkeys(CHANGED)
    years = (row["trading_date"] - row["before_of"]).days / 365
    bought, sold = whole_sum(changes, "bought_value"), whole_sum(changes, "sold_value")
    expired = math.fsum(float(one["expired"]) * float(one["expired_at"]) * MULTIPLIER for one in changes if one["expired"])
    unexplained = sum(bool(one["unexplained_quantity"]) and not one["has_ex_date"] for one in changes)
    debt = max(before["total_debt"], row["total_debt"])
    balance = max(before["account_balance"], row["account_balance"], 0)
    change = less(row["net_asset_value"], before["net_asset_value"])
    known = None not in (row["market_value"], before["market_value"], bought, sold)
    gain = row["market_value"] - before["market_value"] - (bought - sold) + expired if known else None
    rest = less(change, gain)
    paid = less(before["dividend"], row["dividend"])
    taxed = DIVIDEND_TAX * max(paid or 0, 0)
    traded = (bought + sold) * (0.0005 if row["is_derivative"] else 0.006) if known else None
    costs = 10 + traded + debt * 0.20 * years + taxed if known else None
    income = None if change is None else 10 + entitlement(changes, adjustment) + balance * 0.01 * years
    explained = None not in (rest, costs, income) and -costs <= rest <= income
    is_return = explained and unexplained == 0 and (before["net_asset_value"] or 0) > 0
    # Prices cancel out of what nothing explains; a change against closes that are not known is not known.
    is_stale = any(one["priced_on"] and one["priced_on"] < one["trading_date"] for one in (row, before))
    if is_stale:
        change, gain, is_return = None, None, False
    figures = (change, bought, sold, gain, rest, costs, income, unexplained, shares)
    return dict(zip(CHANGED, (*figures, change / before["net_asset_value"] if is_return else None), strict=True))


def unexplained_shares(changes: list[Row], now: list[Row], before: list[Row]) -> float | None:
    """At the close, of what is all gone at that of the day before."""
    prices = {row["symbol"]: row["price"] for row in before} | {
        row["symbol"]: row["price"] for row in now if row["price"] is not None
    }
    values = [
        product(change["unexplained_quantity"], prices.get(change["symbol"]), MULTIPLIER if contract_of(change["symbol"]) else 1)
        for change in changes
        if change["unexplained_quantity"] and not change["has_ex_date"]
    ]
    return None if None in values else math.fsum(values)


def entitlement(changes: list[Row], adjustment: Adjustment) -> float:
    """What shares lost by reference prices of ex-dates, a tick more, less the shares that came instead."""
    most = 0.0
    for change in changes:
        events = [
            event
            for event in ex_events(adjustment, change["symbol"], change["before_of"], change["trading_date"])
            if event["ref_price"] < event["previous_basis"]
        ]
        if events:
            held = change["quantity_before"] + change["bought"]
            lost = sum(held * float(event["previous_basis"] - event["ref_price"] + 100) for event in events)
            shares = max(change["unexplained_quantity"], 0) + change["announced"]
            most += max(lost - shares * float(min(event["ref_price"] for event in events)), 0)
    return most


def views(home: Home, adjustment: Adjustment):
    accounts = Accounts(home)
    day = ("account_no", "trading_date")
    yield Recomputation("mart.account_day", day, accounts.days)
    yield Recomputation("mart.account_position", (*day, "symbol"), accounts.positions)
    yield Recomputation("mart.account_contract", (*day, "symbol"), account_contracts(home, accounts.whole))
    yield Recomputation("mart.account_max_quantity", (*day, "symbol"), account_max_quantities(home, accounts.whole))
    yield Recomputation("mart.account_fill", ("account_no", "order_id", "told_on"), accounts.fills, {"value": AMOUNT})
    values = position_values(accounts)
    yield Recomputation("mart.position_value", (*day, "symbol"), values, {"unrealised_pnl": AMOUNT})
    changes = position_changes(accounts, adjustment)
    yield Recomputation("mart.position_change", (*day, "symbol"), changes)
    profit = realised_pnl(accounts, adjustment, changes)
    yield Recomputation("mart.realised_pnl", ("account_no", "symbol", "trading_date"), profit, {"realised_pnl": AMOUNT})
    curve = equity_curve(accounts, values, changes, adjustment)
    amounts = dict.fromkeys(("difference", "change", "price_gain", "unexplained_cash"), AMOUNT)
    yield Recomputation("mart.account_equity_curve", day, curve, amounts | {"return_without_flows": 1e-11})
    return accounts, values, changes, curve
