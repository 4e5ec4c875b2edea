"""Facts of the exchanges that definitions of views rest on, written anew from docs/market-facts.md and data/reference."""

import csv
import re
from datetime import date, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

REFERENCE = Path(__file__).parents[2] / "data" / "reference"
EXCHANGE_ZONE = timezone(timedelta(hours=7))
YEAR_LETTERS = "ABCDEFGHJKLMNPQRSTVWXYZ"
MONTH_LETTERS = "123456789ABC"
# Of persons, since 2013.
DIVIDEND_TAX = 0.05

LEGACY_FUTURE = re.compile(r"(VN30|GB05|GB10)F\d{2}(0[1-9]|1[0-2])")
PRESENT_FUTURE = re.compile(rf"41([A-Z][A-Z0-9])([{YEAR_LETTERS}])([{MONTH_LETTERS}])000")
UNDERLYINGS = {"I1": "VN30", "I2": "VN100", "B5": "GB05", "BA": "GB10"}


def contract_of(symbol: str) -> str | None:
    """VN30F2504 for VN30F2504 and 41I1F4000; F stands for 2025, the letters count years from there."""
    code = symbol.upper()
    if LEGACY_FUTURE.fullmatch(code):
        return code
    present = PRESENT_FUTURE.fullmatch(code)
    if present is None:
        return None
    underlying = UNDERLYINGS.get(present[1], present[1])
    year = 25 + YEAR_LETTERS.index(present[2]) - YEAR_LETTERS.index("F")
    return f"{underlying}F{year:02d}{MONTH_LETTERS.index(present[3]) + 1:02d}"


def kind_of(symbol: str, underlying: str | None = None) -> str:
    code = symbol.upper()
    if contract_of(code):
        return "future"
    if re.fullmatch(r"42[A-Z][A-Z0-9]{6}", code):
        return "spread"
    if underlying or re.fullmatch(r"C[A-Z][A-Z0-9]{2}\d{4}", code):
        return "covered_warrant"
    if len(code) > 3 and re.fullmatch(r"E1VFVN30|FU[A-Z][A-Z0-9]+", code):
        return "etf"
    return "stock"


def trading_board(symbol: str, exchange: str | None) -> str | None:
    if kind_of(symbol) in ("future", "spread"):
        return "DERIVATIVE"
    return exchange.upper() if exchange else exchange


def tick_of(board: str | None, kind: str, price: Decimal) -> Decimal | None:
    if kind == "future":
        return Decimal("0.1")
    if board == "HOSE" and kind == "stock":
        return Decimal(10 if price < 10_000 else 50 if price < 50_000 else 100)
    if board == "HOSE":
        return Decimal(10)
    if kind == "etf" and board == "HNX":
        return Decimal(1)
    if kind == "stock" and board in ("HNX", "UPCOM"):
        return Decimal(100)
    return None


def to_hundred(price: Decimal) -> Decimal:
    return (price / 100).quantize(Decimal(1), ROUND_HALF_UP) * 100


def plain_index(code: str) -> str:
    return re.sub("[^A-Z0-9]", "", code.upper())


def board_of_index(code: str) -> str | None:
    plain = plain_index(code)
    if plain == "VNINDEX":
        return "HOSE"
    if plain in ("HNX", "HNXINDEX"):
        return "HNX"
    if plain in ("UPCOM", "UPCOMINDEX", "HNXUPCOMINDEX"):
        return "UPCOM"
    return None


def exchange_time(instant: datetime) -> datetime:
    """The exchange's clocks, without a zone."""
    return instant.astimezone(EXCHANGE_ZONE).replace(tzinfo=None)


#: Public holidays of the same date in every year.
FIXED_HOLIDAYS = ((1, 1), (4, 30), (5, 1), (9, 2))


def listed_closed_days() -> list[dict]:
    """Lines of the calendar, and the fixed holidays that it does not list, on weekdays up to 2050."""
    with (REFERENCE / "calendar.csv").open() as lines:
        rows = [row | {"day": date.fromisoformat(row["day"])} for row in csv.DictReader(lines)]
    source = next(row["source"] for row in market_rules() if row["rule"] == "fixed_holidays")
    fixed = {date(year, month, day) for year in range(2000, 2051) for month, day in FIXED_HOLIDAYS}
    later = {day for day in fixed if day.isoweekday() <= 5 and day >= date(2000, 7, 28)} - {row["day"] for row in rows}
    return rows + [
        {"day": day, "closed_for": "public holiday", "source": source, "certainty": "published"} for day in sorted(later)
    ]


def market_rules() -> list[dict]:
    with (REFERENCE / "market_rules.csv").open() as lines:
        return list(csv.DictReader(lines))


def closed_days() -> set[date]:
    return {row["day"] for row in listed_closed_days()}


def announced_years() -> set[int]:
    """Years whose closed days are known: five announced weekdays beside the fixed holidays, or history."""
    rows = [row for row in listed_closed_days() if (row["day"].month, row["day"].day) not in FIXED_HOLIDAYS]
    announced = [row["day"].year for row in rows if row["certainty"] != "inferred"]
    years = {row["day"].year for row in rows}
    return {year for year in years if year <= max(announced) and (announced.count(year) >= 5 or year < max(announced))}


def trading_phases() -> list[dict]:
    """Phases of each board; starts and ends in minutes of the day."""

    def minutes(text: str) -> int:
        hours, rest = text.split(":")[:2]
        return int(hours) * 60 + int(rest)

    with (REFERENCE / "sessions.csv").open() as lines:
        return [
            {
                "board": row["board"],
                "phase": row["phase"],
                "starts": minutes(row["starts"]),
                "ends": minutes(row["ends"]),
                "valid_from": date.fromisoformat(row["valid_from"]),
                "valid_to": date.fromisoformat(row["valid_to"]) if row["valid_to"] else date.max,
            }
            for row in csv.DictReader(lines)
        ]
