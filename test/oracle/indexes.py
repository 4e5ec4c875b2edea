"""Views of indexes and industries: breadth, contributions, proprietary trading, sectors."""

import math
from collections import defaultdict
from datetime import date

from compare import Recomputation
from facts import board_of_index, kind_of
from instruments import Validity
from prices import number, quotient
from published import Home, Row
from references import Adjustment

COUNTED = ("total_advance_stock", "total_decline_stock", "total_no_change_stock", "total_ceiling_stock",
           "total_floor_stock")  # fmt: skip
COUNTS = ("advance", "decline", "no_change", "ceiling", "floor", "untraded", "unknown")


class Members:
    """Who belongs to an index on a session: the whole board of some, else those that the member list names."""

    def __init__(self, home: Home):
        self.indexes = {
            row["index_code"] for name in ("market_index", "index_summary") for row in home.table(f"market.{name}")
        }
        self.lists = home.table("market.index_member")

    def of(self, symbol: str, day: date, board: str | None, counts_on_board: bool):
        for index in self.indexes:
            covered = board_of_index(index)
            if covered is not None and covered == board and counts_on_board:
                yield index
        for member in self.by_symbol.get(symbol, []):
            if board_of_index(member["index_code"]) is None and member["valid_from"] <= day:
                if member["valid_to"] is None or member["valid_to"] > day:
                    yield member["index_code"]

    @property
    def by_symbol(self) -> dict[str, list[Row]]:
        if not hasattr(self, "_by_symbol"):
            self._by_symbol = defaultdict(list)
            for member in self.lists:
                self._by_symbol[member["symbol"]].append(member)
        return self._by_symbol


def breadth(home: Home, members: Members) -> list[Row]:
    limits = {(row["symbol"], row["trading_date"]): row for row in home.table("market.price_limit")}
    boards = {row["symbol"]: row["board"] for row in home.table("market.security")}
    counts: dict[tuple[str, date], Row] = defaultdict(lambda: dict.fromkeys(("summarised", *COUNTS), 0))
    for day in home.table("market.daily_summary"):
        symbol, kind = day["symbol"], kind_of(day["symbol"])
        limit = limits.get((symbol, day["trading_date"]))
        board = (limit["exchange"] if limit else boards.get(symbol) or "").upper()
        counts_on_board = kind == "stock" or (kind == "etf" and board == "HOSE")
        for index in members.of(symbol, day["trading_date"], board, counts_on_board):
            count = counts[index, day["trading_date"]]
            count["summarised"] += 1
            for name in outcome(day, limit):
                count[name] += 1
    reported = {(row["index_code"], row["trading_date"]): row for row in home.table("market.index_summary")}
    rows = []
    for index, day in sorted(counts.keys() | reported.keys()):
        summary, count = reported.get((index, day), {}), counts.get((index, day), {})
        row = {"index_code": index, "trading_date": day, "summarised": count.get("summarised")}
        row |= {name: summary.get(name) for name in COUNTED} | {f"{name}_counted": count.get(name) for name in COUNTS}
        advance, decline = row["total_advance_stock"], row["total_decline_stock"]
        row["told_by"] = row["advance_less_decline"] = None
        if advance is not None and decline is not None:
            row |= {"told_by": "summary", "advance_less_decline": advance - decline}
        elif count:
            row |= {"told_by": "members", "advance_less_decline": count["advance"] - count["decline"]}
        rows.append(row)
    lines: dict[str, int] = {}
    for row in rows:
        if row["advance_less_decline"] is not None:
            lines[row["index_code"]] = lines.get(row["index_code"], 0) + row["advance_less_decline"]
        row["advance_decline_line"] = lines.get(row["index_code"])
    return rows


def outcome(day: Row, limit: Row | None) -> list[str]:
    """Which counts a member's session is in."""
    if not (day["total_match"] or 0) > 0:
        return ["untraded"]
    reference = limit["ref_price"] if limit else None
    close = day["close"]
    if not (close or 0) > 0 or not (reference or 0) > 0:
        return ["unknown"]
    if close == reference:
        return ["no_change"]
    if close > reference:
        return ["advance"] + (["ceiling"] if close == limit["ceiling"] else [])
    return ["decline"] + (["floor"] if close == limit["floor"] else [])


def index_contribution(home: Home, members: Members, adjustment: Adjustment, shares: Validity) -> list[Row]:
    summaries = {(row["symbol"], row["trading_date"]): row for row in home.table("market.daily_summary")}
    groups: dict[tuple[str, date], list[Row]] = defaultdict(list)
    for limit in home.table("market.price_limit"):
        symbol, day = limit["symbol"], limit["trading_date"]
        summary, listed = summaries.get((symbol, day)), shares.at(symbol, day)
        count = listed["listed_share"] if listed else None
        is_believed = day not in adjustment.glitch_days and (limit["ref_price"] or 0) > 0
        reference = limit["ref_price"] if is_believed else None
        price = None
        if summary and not summary["total_match"]:
            price = reference
        elif summary and (summary["total_match"] or 0) > 0 and (summary["close"] or 0) > 0:
            price = summary["close"]
        known = reference is not None and count is not None
        for index in members.of(symbol, day, limit["exchange"].upper(), kind_of(symbol) == "stock"):
            groups[index, day].append(
                {
                    "index_code": index,
                    "trading_date": day,
                    "symbol": symbol,
                    "ref_price": reference,
                    "close": summary["close"] if summary else None,
                    "listed_share": count,
                    "before": reference * count if known else None,
                    "change": (price - reference) * count if known and price is not None else None,
                    "is_approximate": True,
                }
            )
    levels = {(row["index_code"], row["trading_date"]): row for row in home.table("market.index_summary")}
    rows = []
    for key, group in groups.items():
        whole = sum(row["before"] for row in group if row["before"] is not None)
        move = sum(row["change"] for row in group if row["change"] is not None)
        level = levels.get(key)
        for row in group:
            row["weight"] = quotient(row["before"], whole)
            row["contribution"] = quotient(row["change"], whole)
            row["share_of_move"] = quotient(row["change"], move)
            row["contribution_points"] = None
            if row["contribution"] is not None and level and None not in (level["index_value"], level["index_change"]):
                row["contribution_points"] = row["contribution"] * float(level["index_value"] - level["index_change"])
            rows.append(row)
    return rows


def proprietary_flow(home: Home) -> list[Row]:
    by_index: dict[str, list[Row]] = defaultdict(list)
    for row in home.table("market.index_summary"):
        by_index[row["index_code"]].append(row)
    rows = []
    for own in by_index.values():
        own.sort(key=lambda row: row["trading_date"])
        for place, row in enumerate(own):
            result = {name: row[name] for name in ("index_code", "trading_date")}
            result |= {f"total_prop_{side}{what}": row[f"total_prop_{side}{what}"] for side in ("buy", "sell") for what in ("", "_value")}
            for name, suffix in (("volume", ""), ("value", "_value")):
                for length in (1, 5, 20):
                    window = own[max(0, place - length + 1) : place + 1]
                    nets = [
                        None if None in (bought := one[f"total_prop_buy{suffix}"], sold := one[f"total_prop_sell{suffix}"]) else bought - sold
                        for one in window
                    ]
                    whole = len(nets) == length and None not in nets
                    result[f"net_{name}" if length == 1 else f"net_{name}_{length}"] = sum(nets) if whole else None
            bought, sold, traded = row["total_prop_buy_value"], row["total_prop_sell_value"], row["total_trade_value"]
            result["share_of_value"] = None if None in (bought, sold) else quotient((bought + sold) / 2, traded)
            result["net_share_of_value"] = quotient(result["net_value"], traded)
            rows.append(result)
    return rows


def sector(home: Home, adjustment: Adjustment, shares: Validity, sectors: Validity) -> list[Row]:
    limits = {(row["symbol"], row["trading_date"]): row for row in home.table("market.price_limit")}
    groups: dict[tuple, list[Row]] = defaultdict(list)
    for day in home.table("market.daily_summary"):
        symbol, session = day["symbol"], day["trading_date"]
        if kind_of(symbol) != "stock":
            continue
        limit, industry, listed = limits.get((symbol, session)), sectors.at(symbol, session), shares.at(symbol, session)
        reference = limit["ref_price"] if limit and session not in adjustment.glitch_days else None
        traded = (day["total_match"] or 0) > 0
        usable = traded and (day["close"] or 0) > 0 and (reference or 0) > 0
        bought, sold = day["total_foreign_buy_value"], day["total_foreign_sell_value"]
        groups[industry["icb_code"] if industry else None, session].append(
            {
                "icb_name": industry["icb_name"] if industry else None,
                "traded": traded,
                "return": float(day["close"]) / float(reference) - 1 if usable else None,
                "before": float(reference) * listed["listed_share"] if usable and listed else None,
                "matched": number(day["total_match_value"]),
                "dealt": number(day["total_deal_value"]),
                "foreign": None if None in (bought, sold) else float(bought - sold),
            }
        )
    rows = []
    for (code, session), group in groups.items():
        gains = [row["return"] for row in group if row["return"] is not None]
        weighed = [(row["return"], row["before"]) for row in group if row["return"] is not None and row["before"] is not None]
        before = math.fsum(weight for _, weight in weighed) if weighed else None
        rows.append(
            {
                "icb_code": code,
                "icb_name": max((row["icb_name"] for row in group if row["icb_name"]), default=None),
                "trading_date": session,
                "stocks": len(group),
                "stocks_traded": sum(row["traded"] for row in group),
                "advance": sum(gain > 0 for gain in gains),
                "decline": sum(gain < 0 for gain in gains),
                "no_change": sum(gain == 0 for gain in gains),
                "total_match_value": known_sum(group, "matched"),
                "total_deal_value": known_sum(group, "dealt"),
                "foreign_net_value": known_sum(group, "foreign"),
                "return_equal_weight": math.fsum(gains) / len(gains) if gains else None,
                "return_cap_weight": quotient(math.fsum(gain * weight for gain, weight in weighed), before) if weighed else None,
                "value_before": before,
            }
        )
    return rows


def known_sum(group: list[Row], name: str) -> float | None:
    known = [row[name] for row in group if row[name] is not None]
    return math.fsum(known) if known else None


def views(
    home: Home, adjustment: Adjustment, shares: Validity, sectors: Validity, proprietary: list[Row]
) -> list[Recomputation]:
    members = Members(home)
    contribution = index_contribution(home, members, adjustment, shares)
    return [
        Recomputation("mart.breadth", ("index_code", "trading_date"), breadth(home, members)),
        Recomputation("mart.index_contribution", ("index_code", "trading_date", "symbol"), contribution),
        Recomputation("mart.proprietary_flow", ("index_code", "trading_date"), proprietary),
        Recomputation(
            "mart.sector", ("icb_code", "trading_date"), sector(home, adjustment, shares, sectors),
            # Sums of amounts near 1e12 of both signs.
            {"foreign_net_value": 1e-2},
        ),
    ]
