"""Views of instruments: what they are, since when, how many shares and which industry on a session."""

from collections import defaultdict
from datetime import date, timedelta

from compare import Recomputation
from facts import contract_of, kind_of, trading_board
from published import Home, Row

FIRST_DAY, LAST_DAY = date(1, 1, 1), date(9999, 12, 31)
# A table of the lake has dates that ClickHouse has too.
LAKE_DAYS = date(1900, 1, 1), date(2299, 12, 31)


class Validity:
    """Reported values of each symbol over time; the first one holds for all days before it too."""

    def __init__(self, home: Home, columns: tuple[str, ...], is_reported, days=(FIRST_DAY, LAST_DAY)):
        first_day, last_day = days
        self.rows: list[Row] = []
        self.of_symbol: dict[str, list[Row]] = defaultdict(list)
        reports: dict[str, list[Row]] = defaultdict(list)
        for row in home.table("market.security_history"):
            if is_reported(row):
                reports[row["symbol"]].append(row | {"reported_from": row["valid_from"]})
        for row in home.table("market.security"):
            if is_reported(row) and row["symbol"] not in reports:
                reports[row["symbol"]].append(row | {"reported_from": None})
        for symbol, own in reports.items():
            own.sort(key=lambda row: row["reported_from"] or first_day)
            for place, row in enumerate(own):
                ends = own[place + 1]["reported_from"] - timedelta(days=1) if place + 1 < len(own) else last_day
                valid = {name: row[name] for name in ("symbol", "reported_from", *columns)}
                valid |= {"valid_from": row["reported_from"] if place else first_day, "valid_to": ends}
                self.rows.append(valid)
                self.of_symbol[symbol].append(valid)

    def at(self, symbol: str, day: date) -> Row | None:
        return next((row for row in self.of_symbol[symbol] if row["valid_from"] <= day <= row["valid_to"]), None)


def listed_shares(home: Home) -> Validity:
    return Validity(home, ("listed_share",), lambda row: (row["listed_share"] or 0) > 0, LAKE_DAYS)


def industries(home: Home) -> Validity:
    return Validity(home, ("icb_code", "icb_name"), lambda row: bool(row["icb_code"]))


def listing(home: Home) -> list[Row]:
    boards = {row["symbol"]: row["board"] for row in home.table("market.security")}
    rows = {
        (row["symbol"], row["trading_date"]): row["exchange"].upper() for row in home.table("market.price_limit")
    }
    for row in home.table("market.daily_summary"):
        board = boards.get(row["symbol"])
        rows.setdefault((row["symbol"], row["trading_date"]), board.upper() if board else None)
    return [{"symbol": symbol, "trading_date": day, "board": board} for (symbol, day), board in rows.items()]


LISTED = ("lot_size", "symbol_name_vi", "symbol_name_en", "icb_code", "icb_name", "listed_share", "first_trading_date",
          "last_trading_date", "maturity_date")  # fmt: skip


def instrument(home: Home) -> list[Row]:
    """Symbols of the lists; then those that only limits or summaries name."""
    known = {row["symbol"]: row for row in home.table("market.security")}
    for relation in ("market.price_limit", "market.daily_summary"):
        for symbol, rows in home.by_symbol(relation).items():
            if symbol not in known:
                known[symbol] = dict.fromkeys((*LISTED, "cw_underlying_symbol")) | {
                    "symbol": symbol,
                    "board": rows[-1].get("exchange"),
                    "first_seen": rows[0]["trading_date"],
                    "last_seen": rows[-1]["trading_date"],
                    "is_listed": False,
                }
    result = []
    for symbol, row in known.items():
        kind, contract = kind_of(symbol, row["cw_underlying_symbol"]), contract_of(symbol)
        underlying = row["cw_underlying_symbol"] if kind == "covered_warrant" else None
        result.append(
            {name: row[name] for name in ("symbol", "first_seen", "last_seen", "is_listed", *LISTED)}
            | {
                "kind": kind,
                "board": row["board"].upper() if row["board"] else None,
                "trading_board": trading_board(symbol, row["board"]),
                "multiplier": 100_000 if kind == "future" else 1,
                "underlying": contract[:-5] if kind == "future" else underlying,
                "contract": contract,
            }
        )
    return result


def universe_of_session(home: Home, day: date) -> list[Row]:
    """Who was listed on a session that is stored whole: its price limits and summaries name them."""
    validities: dict[str, Row] = {
        row["symbol"]: row
        for row in home.table("market.security_history")
        if row["valid_from"] <= day and (row["valid_to"] is None or row["valid_to"] > day)
    }
    lists = {row["symbol"]: row for row in home.table("market.security")}
    rows = []
    for row in listing(home):
        if row["trading_date"] != day:
            continue
        listed = lists.get(row["symbol"], {})
        named = validities.get(row["symbol"], listed)
        rows.append(
            {"symbol": row["symbol"], "board": row["board"], "told_by": "session"}
            | {"kind": kind_of(row["symbol"], listed.get("cw_underlying_symbol"))}
            | {name: named.get(name) for name in ("symbol_name_vi", "symbol_name_en", "icb_code", "icb_name")}
        )
    return rows


def universe(home: Home) -> list[Row]:
    """Symbols that limits or summaries of a session name."""
    boards = {(row["symbol"], row["trading_date"]): row["exchange"].upper() for row in home.table("market.price_limit")}
    named = {(row["symbol"], row["trading_date"]) for row in home.table("market.daily_summary")} | boards.keys()
    return [
        {"symbol": symbol, "trading_date": day, "kind": kind_of(symbol)}
        | {"board": boards.get((symbol, day)), "has_limits": (symbol, day) in boards}
        for symbol, day in named
    ]


def universes(home: Home):
    """The universe of the first, the middle and the last session that the service answered whole."""
    whole = {
        row["window_from"]
        for row in home.table("ops.coverage")
        if row["dataset"] in ("masterdata", "securitiesSummary") and row["key"] == "*" and row["state"] == "complete"
    }
    days = sorted(whole & {row["trading_date"] for row in home.table("market.price_limit")})
    for day in {days[0], days[len(days) // 2], days[-1]} if days else ():
        yield Recomputation(f"mart.universe_as_of('{day}')", ("symbol",), universe_of_session(home, day))


def views(home: Home, shares: Validity, sectors: Validity):
    yield Recomputation("mart.listed_share", ("symbol", "valid_from"), shares.rows)
    yield Recomputation("mart.industry", ("symbol", "valid_from"), sectors.rows)
    yield Recomputation("mart.listing", ("symbol", "trading_date"), listing(home))
    yield Recomputation("mart.instrument", ("symbol",), instrument(home))
    yield Recomputation("mart.universe", ("symbol", "trading_date"), universe(home))
    yield from universes(home)
