"""What accounts hold, by what may happen to it: settlement, margin, industries, betas."""

import math
from collections import defaultdict

from accounts import AMOUNT, Accounts, by_day, less
from compare import Recomputation
from facts import DIVIDEND_TAX, closed_days, kind_of
from instruments import Validity
from positions import sessions_after
from prices import number
from published import Row

FALL = 0.07


def settlement_sessions(accounts: Accounts) -> list[Row]:
    closed, rows = closed_days(), []
    for day in sorted({day for _, day in accounts.whole}):
        t1_date, t2_date = sessions_after(day, closed)[:2]
        rows.append({"trading_date": day, "t1_date": t1_date, "t2_date": t2_date})
    return rows


def cash_forecast(accounts: Accounts, settlements: list[Row]) -> list[Row]:
    dates = {row["trading_date"]: row for row in settlements}
    rows = []
    for day, balance in by_day(accounts.home, "account.equity_balance", accounts.whole):
        today = day["trading_date"]
        later = dates.get(today, {})
        dividend = number(balance["dividend"])
        steps = [
            ("now", today, 0.0, 0.0, 0.0),
            ("t0", today, *amounts(balance, "t2"), 0.0),
            ("t1", later.get("t1_date"), *amounts(balance, "t1"), 0.0),
            ("t2", later.get("t2_date"), *amounts(balance, "t0"), 0.0),
            ("dividends", None, 0.0, 0.0, None if dividend is None else dividend * (1 - DIVIDEND_TAX)),
        ]
        total = number(balance["account_balance"])
        for ordinal, (step, settles_on, sells, buys, dividends) in enumerate(steps):
            total = None if None in (total, sells, buys, dividends) else total + sells - buys + dividends
            row = {name: day[name] for name in ("account_no", "trading_date", "snapshot_id")}
            row |= {"ordinal": ordinal, "step": step, "settles_on": settles_on, "sells": sells, "buys": buys}
            rows.append(row | {"dividends": dividends, "balance": total})
    return rows


def amounts(balance: Row, suffix: str) -> tuple[float | None, float | None]:
    return number(balance[f"sell_{suffix}"]), number(balance[f"buy_{suffix}"])


OF_SHARES = ("call_ratio", "force_ratio", "call_assets", "force_assets", "call_distance", "call_fall", "force_distance", "force_fall")
OF_CONTRACTS = ("required", "warning_level_1", "warning_level_2", "warning_level_3")


def margin(accounts: Accounts, values: list[Row]) -> list[Row]:
    rows = []
    for day, stated in by_day(accounts.home, "account.equity_margin", accounts.whole):
        if day["account_type"] == "MARGIN":
            rows.append(of_shares(day, stated))
    for day, stated in by_day(accounts.home, "account.derivative_margin", accounts.whole):
        held = [row["market_value"] for row in values if (row["account_no"], row["trading_date"]) == (day["account_no"], day["trading_date"])]
        rows.append(of_contracts(day, stated, None if None in held else math.fsum(held)))
    return rows


def margin_row(day: Row, stated: Row, exposure: float | None, assets: str, debt: str) -> Row:
    row = {name: day[name] for name in ("account_no", "account_type", "trading_date")} | dict.fromkeys(OF_SHARES + OF_CONTRACTS)
    row |= {"total_assets": number(stated[assets]), "total_equity": number(stated["total_equity"])}
    row |= {"total_debt": number(stated[debt]), "exposure": exposure, "fall": FALL}
    lost = None if exposure is None else FALL * exposure
    row["assets_after"], row["equity_after"] = (less(row[name], lost) for name in ("total_assets", "total_equity"))
    return row


def of_shares(day: Row, stated: Row) -> Row:
    row = margin_row(day, stated, number(stated["lmv"]), "total_assets", "total_debt")
    row |= {"action": stated["action"], "ratio": stated["margin_ratio"], "margin_call": number(stated["margin_call"])}
    for name, field in (("call", "call_lmv"), ("force", "force_lmv")):
        level = number(stated[field])
        if level and level > 0:
            apart = row["total_assets"] - level
            row |= {f"{name}_assets": level, f"{name}_ratio": 1 - row["total_debt"] / level, f"{name}_distance": apart}
            row[f"{name}_fall"] = apart / row["exposure"] if row["exposure"] else None
    after = row["assets_after"]
    row["ratio_after"] = row["equity_after"] / after if after else None
    levels = (row["call_assets"], row["force_assets"])
    row["action_after"] = "NONE" if row["total_debt"] == 0 else None
    if row["total_debt"] and None not in levels:
        row["action_after"] = "FORCESELL" if after < levels[1] else "CALL" if after < levels[0] else "NONE"
    return row


def of_contracts(day: Row, stated: Row, exposure: float | None) -> Row:
    row = margin_row(day, stated, exposure, "total_asset_depository", "loan")
    row |= {"action": None, "ratio": stated["account_ratio_depository"], "margin_call": number(stated["margin_call_depository"])}
    row["required"] = number(stated["margin_req_depository"])
    levels = [stated[f"used_limit_warning_level{level}_depository"] or None for level in (1, 2, 3)]
    row |= {f"warning_level_{index}": level for index, level in enumerate(levels, 1)}
    after = row["assets_after"]
    used = row["required"] * (1 - FALL) / after if after and after > 0 else None
    row["ratio_after"] = used
    row["action_after"] = None
    if after is not None and None not in levels:
        beyond = [index for index, level in enumerate(levels, 1) if used is None or used > level]
        row["action_after"] = f"LEVEL{max(beyond)}" if beyond else "NONE"
    return row


def sectors(values: list[Row], industries: Validity) -> list[Row]:
    groups: dict[tuple, list[Row]] = defaultdict(list)
    names: dict[tuple, str] = {}
    for value in values:
        if not value["quantity"]:
            continue
        kind, day = kind_of(value["symbol"]), value["trading_date"]
        industry = (industries.at(value["symbol"], day) if kind == "stock" else None) or {"icb_code": None, "icb_name": None}
        key = (value["account_no"], day, kind, industry["icb_code"])
        names[key] = industry["icb_name"]
        groups[key].append(value)
    gross: dict[tuple, list[float | None]] = defaultdict(list)
    for (account, day, *_), own in groups.items():
        gross[account, day] += [row["market_value"] for row in own]
    rows = []
    for (account, day, kind, code), own in groups.items():
        parts, whole = [row["market_value"] for row in own], gross[account, day]
        value = None if None in parts else math.fsum(parts)
        total = None if None in whole else math.fsum(map(abs, whole))
        row = {"account_no": account, "trading_date": day, "kind": kind, "icb_code": code}
        row |= {"icb_name": names[account, day, kind, code], "positions": len(own), "market_value": value}
        rows.append(row | {"weight": value / total if total else None})
    return rows


def betas(values: list[Row], curve: list[Row], figures: list[Row]) -> list[Row]:
    known = {(row["symbol"], row["trading_date"]): row for row in figures}
    equity = {(row["account_no"], row["trading_date"]): row["net_asset_value"] for row in curve}
    held: dict[tuple, list[Row]] = defaultdict(list)
    for value in values:
        if value["quantity"]:
            held[value["account_no"], value["trading_date"]].append(value)
    rows = []
    for (account, day), own in held.items():
        for index in ("VNINDEX", "VN30"):
            name = f"beta_{index.lower()}_120"
            rated = [(row["market_value"], known.get((row["symbol"], day), {}).get(name)) for row in own]
            row = {"account_no": account, "trading_date": day, "index_code": index, "positions": len(own)}
            row["positions_with_beta"] = sum(beta is not None for _, beta in rated)
            row |= dict.fromkeys(("covered_weight", "beta_of_positions", "beta_of_equity"))
            if all(value is not None for value, _ in rated):
                covered = math.fsum(abs(value) for value, beta in rated if beta is not None)
                moved = math.fsum(value * beta for value, beta in rated if beta is not None)
                row["covered_weight"] = covered / math.fsum(abs(value) for value, _ in rated)
                if row["positions_with_beta"]:
                    row["beta_of_positions"] = moved / covered
                    net = equity.get((account, day))
                    row["beta_of_equity"] = moved / net if net and net > 0 else None
            rows.append(row)
    return rows


def views(accounts: Accounts, values: list[Row], curve: list[Row], industries: Validity, figures: list[Row]):
    day = ("account_no", "trading_date")
    settlements = settlement_sessions(accounts)
    yield Recomputation("mart.settlement_session", ("trading_date",), settlements)
    yield Recomputation("mart.cash_forecast", (*day, "ordinal"), cash_forecast(accounts, settlements), {"balance": AMOUNT})
    apart = dict.fromkeys(("call_distance", "force_distance", "assets_after", "equity_after"), AMOUNT)
    yield Recomputation("mart.account_margin", day, margin(accounts, values), apart)
    yield Recomputation("mart.account_sector", (*day, "kind", "icb_code"), sectors(values, industries))
    yield Recomputation("mart.account_beta", (*day, "index_code"), betas(values, curve, figures))
