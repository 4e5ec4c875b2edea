"""What the catalog says, as one CSV file: what each engine is compared with."""
import csv
import json
import sys


def read(file):
    """Rows by symbol, in the order of sessions; numbers as floats."""
    rows = {}
    with open(file, newline="") as opened:
        for row in csv.DictReader(opened):
            symbol, session = row.pop("symbol"), row.pop("session")
            rows.setdefault(symbol, []).append(
                {"session": session, **{name: float(value) for name, value in row.items()}}
            )
    return rows


def held(rows):
    """Ten symbols with a bar on every session: those with the largest adjustments first."""
    longest = max(map(len, rows.values()))
    whole = [symbol for symbol, bars in rows.items() if len(bars) == longest]
    return sorted(whole, key=lambda symbol: (rows[symbol][0]["factor"], symbol))[:10]


def compare(stored, wanted, tolerance):
    """How many of both differ by more than a part of what is wanted."""
    return sum(abs(a - b) > tolerance * abs(b) for a, b in zip(stored, wanted, strict=True))


def answer(**found):
    json.dump(found, sys.stdout)
    sys.stdout.write("\n")
