"""Open interest of futures, and shares of accounts by the session on which they can be sold."""

from collections import defaultdict
from datetime import date, timedelta

from compare import Recomputation
from facts import closed_days, contract_of, kind_of
from prices import number, positive, quotient
from published import Home, Row


def last_session(home: Home, contract: str, closed: set[date]) -> date:
    """As a list states it within the month of the contract, else the third Thursday or the session before."""
    year, month = 2000 + int(contract[-4:-2]), int(contract[-2:])
    listed = [
        row["last_trading_date"]
        for row in home.table("market.security")
        if contract_of(row["symbol"]) == contract and row["last_trading_date"]
    ]
    within = [day for day in listed if (day.year, day.month) == (year, month)]
    if within:
        return max(within)
    thursdays = [day for day in (date(year, month, number) for number in range(15, 22)) if day.isoweekday() == 4]
    day = thursdays[0]
    while day in closed or day.isoweekday() > 5:
        day -= timedelta(days=1)
    return day


POSITIONING = {(1, 1): "long build-up", (-1, 1): "short build-up", (1, -1): "short covering", (-1, -1): "long unwinding"}


def open_interest_change(home: Home) -> list[Row]:
    closed = closed_days()
    quotes: dict[str, dict[date, Row]] = defaultdict(dict)
    for row in home.table("market.daily_summary"):
        contract = contract_of(row["symbol"])
        if contract:
            rank = (row["total_match"] or 0, row["symbol"] != contract)
            other = quotes[contract].get(row["trading_date"])
            if other is None or rank > other["rank"]:
                quotes[contract][row["trading_date"]] = row | {"rank": rank}
    rows, of_session = [], defaultdict(list)
    for contract, by_day in quotes.items():
        ends, before = last_session(home, contract, closed), None
        for day in sorted(by_day):
            quote = by_day[day]
            row = {name: quote[name] for name in ("symbol", "trading_date", "total_match", "open_interest")}
            row |= {"underlying": contract[:-5], "contract": contract, "last_trading_date": ends}
            row |= {"days_to_last_trading_date": (ends - day).days, "close": positive(quote["close"])}
            row["settlement_price"] = positive(quote["settlement_price"])
            row["session_before"] = before["trading_date"] if before else None
            row["open_interest_before"] = before["open_interest"] if before else None
            moved = settled = None
            if before and None not in (row["open_interest"], before["open_interest"]):
                moved = row["open_interest"] - before["open_interest"]
            if before and None not in (row["settlement_price"], before["settlement_price"]):
                settled = row["settlement_price"] - before["settlement_price"]
            signs = tuple((value > 0) - (value < 0) if value is not None else 0 for value in (settled, moved))
            row |= {
                "open_interest_change": moved,
                "open_interest_change_fraction": quotient(moved, row["open_interest_before"]),
                "settlement_change": number(settled),
                "positioning": POSITIONING.get(signs),
                "volume_to_open_interest": quotient(row["total_match"], row["open_interest"]),
            }
            of_session[row["underlying"], day].append(row)
            rows.append(row)
            before = row
    for together in of_session.values():
        interests = [row["open_interest"] for row in together]
        for row in together:
            row["underlying_open_interest"] = None if None in interests else sum(interests)
    return rows


def sessions_after(day: date, closed: set[date]) -> list[date]:
    later = [day + timedelta(days=number) for number in range(1, 22)]
    return [session for session in later if session.isoweekday() <= 5 and session not in closed]


def sellable_share(home: Home) -> list[Row]:
    closed = closed_days()
    latest: dict[tuple, Row] = {}
    for row in home.table("account.snapshot"):
        key = (row["account_no"], row["as_of"])
        if row["state"] == "complete" and (key not in latest or row["received_at"] > latest[key]["received_at"]):
            latest[key] = row
    days = {(row["account_no"], row["snapshot_id"]): day for (_, day), row in latest.items()}
    rows = []
    for position in home.table("account.equity_position"):
        day = days.get((position["account_no"], position["snapshot_id"]))
        if day is None:
            continue
        sessions = sessions_after(day, closed)
        encumbered = sum(position[f"{name}_quantity"] or 0 for name in ("block", "mortgage", "restricted"))
        parts = [position["quantity"], position["sellable_quantity"], position["bought_quantity"]]
        arriving = None
        if None not in parts:
            arriving = parts[0] - parts[1] - parts[2] - (position["selling_quantity"] or 0) - encumbered
        arriving = arriving if arriving is not None and arriving >= 0 else None
        next_sellable = parts[1] + arriving if arriving is not None else None
        row = {name: position[name] for name in ("account_no", "symbol", "quantity", "selling_quantity", "snapshot_id")}
        row |= {"trading_date": day, "kind": kind_of(position["symbol"]), "t1_date": sessions[0], "t2_date": sessions[1]}
        row |= {"sellable_t0": parts[1], "arriving_t1": arriving, "arriving_t2": parts[2], "sellable_t1": next_sellable}
        row["sellable_t2"] = next_sellable + parts[2] if next_sellable is not None else None
        row |= {"encumbered_quantity": encumbered, "delivering_t2": position["sold_quantity"]}
        row |= {"delivering_t1": position["t1_sell_quantity"], "delivering_t0": position["t2_sell_quantity"]}
        rows.append(row)
    return rows


def views(home: Home) -> list[Recomputation]:
    return [
        Recomputation("mart.open_interest_change", ("contract", "trading_date"), open_interest_change(home)),
        Recomputation("mart.sellable_share", ("account_no", "trading_date", "symbol"), sellable_share(home)),
    ]
