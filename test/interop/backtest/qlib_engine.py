"""qlib loads an export: every bar, ten names held, and an order at the ceiling."""
import logging
import math
import sys

import qlib
from qlib.backtest import Order
from qlib.backtest.account import Account
from qlib.backtest.exchange import Exchange
from qlib.data import D

import truth

folder, file = sys.argv[1:]
logging.disable(logging.WARNING)
qlib.init(provider_uri=folder, region="cn", kernels=1, logging_level=logging.ERROR)
rows = truth.read(file)
fields = ["$open", "$high", "$low", "$close", "$volume", "$factor"]
names = ["open", "high", "low", "close", "volume", "factor"]
bars = differing = 0
for symbol, wanted in rows.items():
    frame = D.features([symbol], fields).droplevel("instrument").dropna()
    assert [str(day.date()) for day in frame.index] == [row["session"] for row in wanted], symbol
    bars += len(wanted)
    for field, name in zip(fields, names):
        # 32-bit floats have seven digits.
        differing += truth.compare(frame[field], [row[name] for row in wanted], 1e-6)

sessions = D.calendar()
exchange = Exchange(
    start_time=sessions[0],
    end_time=sessions[-1],
    codes=list(rows),
    deal_price="close",
    limit_threshold=("$limit_up", "$limit_down"),
    open_cost=0,
    close_cost=0,
    min_cost=0,
    trade_unit=None,
)
account = Account(init_cash=1e10, freq="day", benchmark_config={}, port_metr_enabled=False)
names_held = truth.held(rows)
for symbol in names_held:
    amount = 1e9 / exchange.get_deal_price(symbol, sessions[0], sessions[0], Order.BUY)
    order = Order(symbol, amount, Order.BUY, sessions[0], sessions[0])
    exchange.deal_order(order, trade_account=account)
position = account.current_position
value = position.get_cash() + sum(
    position.get_stock_amount(symbol) * exchange.get_close(symbol, sessions[-1], sessions[-1]) for symbol in names_held
)
limits = D.features(list(rows), ["$limit_up"]).dropna()
at_ceiling = limits[limits["$limit_up"] == 1].index
refused = 0
for symbol, session in at_ceiling:
    order = Order(symbol, 100.0, Order.BUY, session, session)
    traded, _, _ = exchange.deal_order(order, trade_account=account)
    refused += math.isclose(traded, 0)
truth.answer(
    engine=f"qlib {qlib.__version__}",
    bars=bars,
    differing=differing,
    total_return=value / 1e10 - 1,
    at_ceiling=len(at_ceiling),
    refused=refused,
)
