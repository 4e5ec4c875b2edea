"""Tables as they stood at an instant, by undoing each revision since, and what adjusts prices by them."""

import json
from collections import defaultdict
from datetime import UTC, date, datetime
from decimal import Decimal

import polars as pl
from compare import Recomputation
from facts import exchange_time
from prices import daily_adjusted
from published import Home, Row
from references import Adjustment

KEYS = {
    "market.daily_summary": ("symbol", "trading_date"),
    "market.price_limit": ("symbol", "trading_date"),
    "market.index_summary": ("index_code", "trading_date"),
    "market.corporate_action": ("symbol", "ex_date", "kind"),
    "market.candle": ("symbol", "timeframe", "opened_at"),
}


def value_of(text: str | None, kind: pl.DataType) -> object:
    """A value from its text in a revision; numbers never through a binary fraction."""
    if text is None:
        return None
    if isinstance(kind, pl.Decimal):
        return Decimal(text)
    if kind.is_integer():
        return int(text)
    if kind.is_float():
        return float(text)
    if kind == pl.Boolean:
        return text == "true"
    if kind == pl.Date:
        return date.fromisoformat(text)
    if isinstance(kind, pl.Datetime):
        return datetime.fromisoformat(text).astimezone(UTC)
    return text


class Revisions:
    """What changed of each row of a relation, latest change first."""

    def __init__(self, home: Home, relation: str):
        frame = home.frame(relation)
        self.kinds, self.key = dict(frame.schema), KEYS[relation]
        self.rows = {self.key_of(row): row for row in frame.to_dicts()}
        self.changes: dict[tuple, list[Row]] = defaultdict(list)
        for change in home.table("market.revision"):
            if change["relation"] == relation:
                names = json.loads(change["key"], parse_float=str, parse_int=str)
                key = tuple(value_of(names[name], self.kinds[name]) for name in self.key)
                self.changes[key].append(change)
        for changes in self.changes.values():
            changes.sort(key=lambda change: change["observed_at"], reverse=True)

    def key_of(self, row: Row) -> tuple:
        return tuple(row[name] for name in self.key)

    def whole(self, text: str) -> Row:
        row = json.loads(text, parse_float=str, parse_int=str)
        as_text = {name: None if value is None else str(value).lower() if value in (True, False) else str(value)
                   for name, value in row.items()}  # fmt: skip
        return {name: value_of(as_text.get(name), kind) for name, kind in self.kinds.items()}

    def at(self, instant: datetime) -> list[Row]:
        then = [self.row_at(key, instant) for key in self.rows.keys() | self.changes.keys()]
        return [row for row in then if row is not None]

    def row_at(self, key: tuple, instant: datetime) -> Row | None:
        """Undoes what was observed since; the row was there if the page that brought it as it was had been received."""
        row = self.rows.get(key)
        row = dict(row) if row else None
        since = row["loaded_at"] if row else None
        page, undone = row["request_id"] if row else None, False
        for change in self.changes.get(key, []):
            if change["observed_at"] <= instant:
                break
            undone = True
            since = change["known_since"]
            if change["column"] == "*":
                row = self.whole(change["old"])
                page, since = row["request_id"], row["loaded_at"]
            elif row is not None:
                row[change["column"]] = value_of(change["old"], self.kinds[change["column"]])
                page = self.page_of(key, since)
        if row is None or (since is not None and since > instant):
            return None
        return row | {"loaded_at": since, "request_id": page} if undone else row

    def page_of(self, key: tuple, received_at: datetime | None) -> str | None:
        """The page that brought the row as it was, where a revision names it."""
        pages = [one["request_id"] for one in self.changes[key] if one["observed_at"] == received_at and one["column"] != "*"]
        return pages[0] if pages else None


class HomeThen:
    """The home with market tables as they stood at an instant; what has no history is as now."""

    def __init__(self, home: Home, revisions: dict[str, Revisions], instant: datetime):
        self.home = home
        self.then = {
            relation: revisions[relation].at(instant)
            for relation in ("market.daily_summary", "market.price_limit", "market.corporate_action")
            if relation in revisions
        }

    def table(self, relation: str) -> list[Row]:
        return self.then[relation] if relation in self.then else self.home.table(relation)

    def by_symbol(self, relation: str) -> dict[str, list[Row]]:
        groups: dict[str, list[Row]] = defaultdict(list)
        for row in sorted(self.table(relation), key=lambda row: row["trading_date"]):
            groups[row["symbol"]].append(row)
        return groups


def securities(home: Home, instant: datetime) -> list[Row]:
    """The latest validity of each symbol that lists received up to the instant had shown, with its first and last list."""
    pages = {row["request_id"]: row["received_at"] for row in home.table("ops.request")}
    lists: dict[date, list[datetime]] = defaultdict(list)
    whole: dict[str, list[date]] = defaultdict(list)
    for row in home.table("ops.coverage"):
        if row["dataset"] == "securities" and row["request_id"] in pages:
            lists[row["window_from"]].append(pages[row["request_id"]])
            if row["state"] == "complete" and pages[row["request_id"]] <= instant:
                whole[row["key"]].append(row["window_from"])
    known_days = {day for day, received in lists.items() if max(received) <= instant}
    latest: dict[str, Row] = {}
    first: dict[str, date] = {}
    for row in home.table("market.security_history"):
        is_known = row["loaded_at"] <= instant or row["valid_from"] in known_days
        if is_known:
            first[row["symbol"]] = min(first.get(row["symbol"], row["valid_from"]), row["valid_from"])
        before = latest.get(row["symbol"])
        if is_known and (before is None or row["valid_from"] > before["valid_from"]):
            latest[row["symbol"]] = row
    rows = []
    for row in latest.values():
        closed = row["valid_to"] is not None and row["valid_to"] in known_days
        then = row | {"valid_to": row["valid_to"] if closed else None, "is_listed": not closed}
        named = [day for day in whole[(row["board"] or "").upper()] if not closed or day < row["valid_to"]]
        then |= {"first_seen": first[row["symbol"]], "last_seen": max(named + [row["valid_from"]])}
        if row["loaded_at"] > instant:
            seen_last = ("i_index", "i_nav", "open_interest", "settlement_price", "request_id", "loaded_at")
            then |= dict.fromkeys(seen_last)
        rows.append(then)
    return rows


def index_members(home: Home, instant: datetime) -> list[Row]:
    """Stays in the lists that had been received: from one that names the symbol to the next one that does not."""
    pages = {row["request_id"]: row for row in home.table("ops.request")}
    lists: dict[str, set[date]] = defaultdict(set)
    latest: set[str] = set()
    for row in home.table("ops.coverage"):
        is_list = row["dataset"] == "indexMembers" and row["state"] == "complete"
        if not is_list or row["request_id"] not in pages:
            continue
        page = pages[row["request_id"]]
        latest.add(page["walk"])
        if page["received_at"] <= instant:
            lists[row["key"]].add(row["window_from"])
    replaced: dict[tuple, date] = {}
    for row in home.table("market.index_member"):
        page = pages.get(row["request_id"])
        if page is not None and row["loaded_at"] <= instant and page["walk"] not in latest:
            answer = (row["index_code"], page["walk"])
            replaced[answer] = min(replaced.get(answer, row["valid_from"]), row["valid_from"])
    for (index, _), day in replaced.items():
        lists[index].add(day)
    named: dict[tuple, dict[date, Row]] = defaultdict(dict)
    for row in home.table("market.index_member"):
        for day in lists[row["index_code"]]:
            if row["valid_from"] <= day and (row["valid_to"] is None or day < row["valid_to"]):
                named[row["index_code"], row["symbol"]][day] = row
    rows: list[Row] = []
    for (index, symbol), days in named.items():
        stay: Row | None = None
        for day in sorted(lists[index]):
            if day not in days:
                if stay is not None:
                    stay["valid_to"] = day
                stay = None
                continue
            if stay is None:
                stay = {"index_code": index, "symbol": symbol, "valid_from": day, "valid_to": None}
                stay |= {"request_id": None, "loaded_at": None}
                rows.append(stay)
            if stay["loaded_at"] is None and days[day]["loaded_at"] <= instant:
                stay |= {name: days[day][name] for name in ("request_id", "loaded_at")}
    return rows


def instants(home: Home) -> list[datetime]:
    """In the middle of the first arrivals, before the first and the last run that changed something, and at the end."""
    loaded = sorted(row["loaded_at"] for row in home.table("market.daily_summary"))
    changed = sorted({row["observed_at"] for row in home.table("market.revision")})
    runs = [row["started_at"] for row in home.table("ops.run")]
    before = [max((run for run in runs if run < at), default=at) for at in (*changed[:1], *changed[-1:])]
    chosen = {loaded[len(loaded) // 2], *before, *changed[-1:]}
    return sorted(at.astimezone(UTC) for at in chosen)


def views(home: Home):
    revisions = {relation: Revisions(home, relation) for relation in KEYS if home.table(relation)}
    for instant in instants(home):
        asked = f"('{instant.isoformat()}')"
        for relation, own in revisions.items():
            name = relation.replace("market.", "mart.")
            rows = own.at(instant)
            if relation == "market.candle":
                for row in rows:
                    row |= {"is_derived": False, "local_time": exchange_time(row["opened_at"])}
            yield Recomputation(f"{name}_as_known_on{asked}", KEYS[relation], rows)
        yield Recomputation(f"mart.security_as_known_on{asked}", ("symbol",), securities(home, instant))
        members = index_members(home, instant)
        yield Recomputation(f"mart.index_member_as_known_on{asked}", ("index_code", "symbol", "valid_from"), members)
        then = HomeThen(home, revisions, instant)
        adjustment = Adjustment(then)
        yield Recomputation(f"mart.adjustment_event_as_known_on{asked}", ("symbol", "ex_date"), adjustment.events)
        adjusted = daily_adjusted(then, adjustment)
        yield Recomputation(f"mart.daily_adjusted_as_known_on{asked}", ("symbol", "trading_date"), adjusted)
