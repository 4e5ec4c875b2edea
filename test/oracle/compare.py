"""Compares recomputed rows with those of a view: exact types to the last digit, DOUBLE to 1e-9 of their size."""

import math
from collections import Counter
from dataclasses import dataclass, field

from published import Home, Row

RELATIVE = 1e-9
# Differences of nearly equal numbers, as returns close to 0, have no more digits than what they are made of.
ABSOLUTE = 1e-12


@dataclass
class Recomputation:
    view: str
    key: tuple[str, ...]
    rows: list[Row]
    # Columns that hold differences of large amounts: half of the last digit of that amount is not a difference.
    absolute: dict[str, float] = field(default_factory=dict)


@dataclass
class Outcome:
    view: str
    rows: int
    columns: int
    values: int
    differences: int
    examples: list[str]


def same(kind: str, expected: object, actual: object, absolute: float) -> bool:
    if expected is None or actual is None:
        return expected is None and actual is None
    if kind != "DOUBLE":
        return expected == actual
    wanted, given = float(expected), float(actual)
    if math.isnan(wanted) or math.isnan(given):
        return math.isnan(wanted) and math.isnan(given)
    return wanted == given or abs(wanted - given) <= max(RELATIVE * max(abs(wanted), abs(given)), absolute)


def compare(home: Home, recomputed: Recomputation) -> Outcome:
    types, actual_rows = home.view(recomputed.view)
    keys = recomputed.key

    def keyed(rows: list[Row], whose: str) -> dict[tuple, Row]:
        by_key = {tuple(row[name] for name in keys): row for row in rows}
        if len(by_key) != len(rows):
            raise ValueError(f"{recomputed.view}: {whose} rows are not unique by {', '.join(keys)}")
        return by_key

    expected, actual = keyed(recomputed.rows, "recomputed"), keyed(actual_rows, "the view's")
    examples: dict[str, str] = {}
    wrong: Counter[str] = Counter()

    def differ(column: str, key: tuple, text: str) -> None:
        wrong[column] += 1
        examples.setdefault(column, f"{recomputed.view}.{column} of {' '.join(map(str, key))}: {text}")

    for key in expected.keys() - actual.keys():
        differ("(row)", key, "recomputed, not in the view")
    for key in actual.keys() - expected.keys():
        differ("(row)", key, "in the view, not recomputed")
    shared = expected.keys() & actual.keys()
    for key in shared:
        wanted, given = expected[key], actual[key]
        for column, kind in types.items():
            if column not in wanted:
                differ(column, key, "not recomputed")
            elif not same(kind, wanted[column], given[column], recomputed.absolute.get(column, ABSOLUTE)):
                differ(column, key, f"recomputed {wanted[column]!r}, view {given[column]!r}")
    notes = [f"{text} ({wrong[column]} in all)" for column, text in examples.items()]
    return Outcome(
        recomputed.view, len(shared), len(types), len(shared) * len(types), sum(wrong.values()), notes
    )
