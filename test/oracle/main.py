"""Recomputes the views of a home from its published tables and prints where they differ: main.py HOME."""

import re
import sys
from pathlib import Path

import accounts
import attribution
import bars
import coverage
import derivatives
import dividends
import factors
import holdings
import indexes
import indicators
import instruments
import known
import lots
import matches
import positions
import prices
import returns
import screens
import sessions
from compare import Outcome, compare
from published import Home
from references import Adjustment
from windows import session_factors


def recomputations(home: Home):
    """Views in the order of what they are made of; each group's tables are let go before the next."""
    adjustment = Adjustment(home)
    yield from adjustment.views()
    yield from sessions.views()
    minute_bars = bars.Bars(home)
    days = bars.intraday(minute_bars)
    yield from bars.views(minute_bars, days)
    yield from indicators.views(home, adjustment)
    variances = {(row["symbol"], row["trading_date"]): row["realised_variance"] for row in days}
    figures = session_factors(home, adjustment, variances)
    streaks = {(row["symbol"], row["trading_date"]): row["limit_streak"] for row in figures}
    yield from prices.views(home, adjustment, streaks)
    shares, sectors = instruments.listed_shares(home), instruments.industries(home)
    yield from instruments.views(home, shares, sectors)
    proprietary = indexes.proprietary_flow(home)
    yield from factors.views(home, figures, adjustment, shares, proprietary)
    yield from screens.views(home, figures, shares)
    yield from positions.views(home)
    yield from indexes.views(home, adjustment, shares, sectors, proprietary)
    yield from derivatives.views(home)
    ledger, values, changes, curve = yield from accounts.views(home, adjustment)
    costs, periods = yield from returns.views(home, ledger, curve)
    yield from lots.views(ledger, adjustment, changes, costs)
    paid = yield from dividends.views(home, ledger, adjustment, changes)
    yield from attribution.views(ledger, periods, values, changes, costs, paid)
    yield from holdings.views(ledger, values, curve, sectors, figures)
    yield from matches.views(home, adjustment)
    yield from coverage.views(home)
    yield from known.views(home)


def remaining(home: Home, outcomes: list[Outcome]) -> list[str]:
    """Views of the catalog that nothing here computes."""
    recomputed = {re.search(r"mart\.\w+", outcome.view)[0] for outcome in outcomes}
    _, rows = home.view("duckdb_views() WHERE schema_name = 'mart' AND NOT internal")
    return sorted(name for row in rows if f"mart.{(name := row['view_name'])}" not in recomputed)


def main(folder: Path) -> int:
    home = Home(folder)
    outcomes = []
    print(f"{'view':44}{'rows':>10}{'columns':>9}{'values':>12}{'differences':>13}")
    for recomputed in recomputations(home):
        outcome = compare(home, recomputed)
        outcomes.append(outcome)
        print(f"{outcome.view:44}{outcome.rows:>10,}{outcome.columns:>9}{outcome.values:>12,}{outcome.differences:>13,}")
        for example in outcome.examples:
            print(f"  {example}")
    names = ("rows", "values", "differences")
    rows, values, differences = (sum(getattr(outcome, name) for outcome in outcomes) for name in names)
    print(f"{f'{len(outcomes)} comparisons':44}{rows:>10,}{'':9}{values:>12,}{differences:>13,}")
    print(f"not recomputed (test/oracle/README.md says why): {', '.join(remaining(home, outcomes))}")
    return 1 if differences or rows == 0 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
