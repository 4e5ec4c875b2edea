"""An export as LEAN's readers take it: every bar, factors, and ten names held over its splits and dividends.

LEAN is a program in C#, which could not be installed where this was built. Each function does what the one of LEAN does that it is
named for, no more: QuantConnect/Lean, Common/Data/Market/TradeBar.cs, Common/Util/StreamReaderExtensions.cs,
Common/Data/Auxiliary/{CorporateFactorRow,CorporateFactorProvider,MapFileRow,MapFile}.cs, Common/Util/LeanData.cs,
Engine/DataFeeds/Enumerators/{SplitEventProvider,DelistingEventProvider}.cs
"""
import os
import re
import sys
import zipfile
from datetime import datetime
from decimal import Decimal

import truth

folder, file = sys.argv[1:]
equity = os.path.join(folder, "equity", "vietnam")
END = datetime(2050, 12, 31)


def get_decimal(text):
    """Digits and one point: no sign of an exponent."""
    if not re.fullmatch(r"-?\d+(\.\d+)?", text):
        raise ValueError(text)
    return Decimal(text)


def parse_equity(symbol):
    """Bars by session: prices are ten-thousandths. Every line is one bar: an empty one is an error of its own."""
    name = symbol.lower()
    with zipfile.ZipFile(os.path.join(equity, "daily", f"{name}.zip")) as archive:
        text = archive.read(f"{name}.csv").decode("ascii")
    bars = {}
    for line in text.removesuffix("\n").split("\n"):
        time, *prices, volume = line.split(",")
        day = datetime.strptime(time, "%Y%m%d %H:%M")
        bars[day] = [*(get_decimal(price) / 10000 for price in prices), get_decimal(volume)]
    return bars


def parse_factors(symbol):
    """Rows by date. Those with inf, an exponent or a factor of zero are left out, and of two of a date the first one stays."""
    rows = {}
    with open(os.path.join(equity, "factor_files", f"{symbol.lower()}.csv")) as lines:
        for line in lines:
            if "inf" in line or "e+" in line:
                continue
            date, price, split, reference = line.rstrip("\n").split(",")
            row = tuple(map(get_decimal, (price, split, reference)))
            if row[0] * row[1] > 0:
                rows.setdefault(datetime.strptime(date, "%Y%m%d"), row)
    return dict(sorted(rows.items()))


def parse_map(symbol):
    """First and last day. A third column is one letter, or nothing is read of the file."""
    with open(os.path.join(equity, "map_files", f"{symbol.lower()}.csv")) as lines:
        rows = [line.rstrip("\n").split(",") for line in lines]
    assert all(name == symbol.lower() and (not exchange or len(exchange[0]) == 1) for _, name, *exchange in rows), symbol
    dates = sorted(datetime.strptime(date, "%Y%m%d") for date, *_ in rows)
    return dates[0], dates[-1]


def get_price_factor(rows, day):
    factor = Decimal(1)
    for date, (price, split, _) in reversed(rows.items()):
        if date < day:
            break
        factor = price * split
    return factor


def events(rows):
    """What becomes of a share, and what it is paid, with the day before: where a row differs from the next one."""
    dates = list(rows)
    for date, later in zip(dates, dates[1:]):
        price, split, reference = rows[date]
        next_price, next_split, _ = rows[later]
        paid = round(reference - reference * price / next_price, 2) if price != next_price else 0
        # A change that pays nothing is still an event of LEAN.
        assert price == next_price or paid != 0, (date, paid)
        if split != next_split or paid != 0:
            yield date, next_split / split, paid, reference


rows = truth.read(file)
bars = differing = 0
for symbol, wanted in rows.items():
    stored, factors = parse_equity(symbol), parse_factors(symbol)
    first, last = parse_map(symbol)
    days = [datetime.fromisoformat(row["session"]) for row in wanted]
    assert list(stored) == days, symbol
    assert first <= days[0] and days[-1] <= last <= END, symbol
    for day, row in zip(days, wanted):
        raw = [row[field] for field in ("open_raw", "high_raw", "low_raw", "close_raw", "volume_raw")]
        differing += truth.compare(map(float, stored[day]), raw, 0)
        adjusted = float(stored[day][3] * get_price_factor(factors, day))
        differing += truth.compare([adjusted], [row["close"]], 1e-12)
        bars += 1

names = truth.held(rows)
values, closes = [], []
for symbol in names:
    stored = parse_equity(symbol)
    days = list(stored)
    shares = Decimal(1)
    for date, split, paid, reference in events(parse_factors(symbol)):
        if days[0] <= date < days[-1]:
            # What is paid buys shares at the price that is left: without it LEAN keeps it as cash.
            shares *= split * reference / (reference - paid)
    values.append(float(shares * stored[days[-1]][3] / stored[days[0]][3]))
    closes.append(rows[symbol][-1]["close"] / rows[symbol][0]["close"])

truth.answer(
    engine="LEAN's readers",
    bars=bars,
    differing=differing,
    total_return=sum(values) / len(values) - 1,
    wanted_return=sum(closes) / len(closes) - 1,
)
