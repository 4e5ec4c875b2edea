"""zipline ingests an export: every bar, and ten names held."""
import os
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
folder, file = sys.argv[1:]
os.environ["ZIPLINE_ROOT"] = tempfile.mkdtemp()

import pandas
import zipline
from zipline.api import order, set_commission, set_slippage, symbol
from zipline.data import bundles
from zipline.finance import commission, slippage
from zipline.utils.calendar_utils import get_calendar
from zipline.utils.run_algo import load_extensions

import truth

load_extensions(False, [os.path.join(folder, "extension.py")], True, os.environ)
sessions = pandas.DatetimeIndex(pandas.read_csv(os.path.join(folder, "sessions.csv"), parse_dates=["date"])["date"])
bundles.ingest("candlehouse", show_progress=False)
rows = truth.read(file)
bundle = bundles.load("candlehouse")
names = ["open", "high", "low", "close", "volume"]
bars = differing = 0
for name, wanted in rows.items():
    asset = bundle.asset_finder.lookup_symbol(name, None)
    for row in wanted:
        session = pandas.Timestamp(row["session"])
        values = [bundle.equity_daily_bar_reader.get_value(asset.sid, session, field) for field in names]
        # Thousandths of a dong.
        raw = [row[field] for field in ("open_raw", "high_raw", "low_raw", "close_raw", "volume_raw")]
        differing += truth.compare(values, raw, 1e-9)
        bars += 1

held = truth.held(rows)
found = {}


def initialize(context):
    set_commission(commission.NoCommission())
    set_slippage(slippage.NoSlippage())
    context.is_bought = False


def handle_data(context, data):
    if not context.is_bought:
        for name in held:
            order(symbol(name), int(1e9 / data.current(symbol(name), "close")))
        context.is_bought = True
    if data.current_session == sessions[-1]:
        closes = data.history([symbol(name) for name in held], "close", len(sessions), "1d")
        found["adjusted"] = {asset.symbol: list(closes[asset]) for asset in closes}


result = zipline.run_algorithm(
    start=sessions[0],
    end=sessions[-1],
    initialize=initialize,
    handle_data=handle_data,
    capital_base=2e10,
    bundle="candlehouse",
    trading_calendar=get_calendar("XSTC"),
    benchmark_returns=pandas.Series(0.0, index=sessions),
)
for name in held:
    # Splits are applied to prices that are thousandths of a dong.
    differing += truth.compare(found["adjusted"][name], [row["close"] for row in rows[name]], 1e-6)
# Orders of a session are filled at the close of the next one.
bought = {name: (int(1e9 / rows[name][0]["close_raw"]), rows[name][1]) for name in held}
spent = sum(shares * row["close_raw"] for shares, row in bought.values())
gained = result.portfolio_value.iloc[-1] - 2e10
wanted = sum(shares * row["close_raw"] * (rows[name][-1]["close"] / row["close"] - 1) for name, (shares, row) in bought.items())
truth.answer(
    engine=f"zipline-reloaded {zipline.__version__}",
    bars=bars,
    differing=differing,
    total_return=gained / spent,
    wanted_return=wanted / spent,
)
