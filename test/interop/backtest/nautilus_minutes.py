"""nautilus_trader runs a strategy over every minute bar of an export, a part of the catalog at a time."""
import json
import resource
import sys
import time
from collections import deque

import nautilus_trader
from nautilus_trader.analysis.analyzer import PortfolioAnalyzer
from nautilus_trader.backtest.config import BacktestDataConfig, BacktestRunConfig, BacktestVenueConfig
from nautilus_trader.backtest.config import BacktestEngineConfig
from nautilus_trader.backtest.node import BacktestNode
from nautilus_trader.config import LoggingConfig, StrategyConfig
from nautilus_trader.model.data import Bar, BarType
from nautilus_trader.model.enums import OrderSide
from nautilus_trader.model.objects import Quantity
from nautilus_trader.persistence.catalog import ParquetDataCatalog
from nautilus_trader.trading.strategy import Strategy

folder, fast, slow = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
assert slow % fast == 0
# It copies a pandas Series for each position that is closed: of 40,000 that took longer than all else.
PortfolioAnalyzer.record_trade = lambda *of_position: None
BARS_AT_ONCE = 500_000
# The engine fills what is beyond the volume of a bar one increment worse.
SHARES = 1


class Average:
    """Sums of the last closes, in whole ten-thousandths: both sides of the comparison are exact."""

    __slots__ = ("closes", "fast", "slow", "held")

    def __init__(self):
        self.closes = deque()
        self.fast = self.slow = 0
        self.held = False

    def add(self, close):
        closes = self.closes
        closes.append(close)
        self.fast += close
        self.slow += close
        if len(closes) > fast:
            self.fast -= closes[-fast - 1]
        if len(closes) > slow:
            self.slow -= closes.popleft()


class Crossing(Strategy):
    """Holds a symbol while the mean of its last closes is above that of more of them."""

    def on_start(self):
        self.bars = 0
        self.averages = {}
        self.fills = []
        for bar_type in bar_types:
            self.subscribe_bars(bar_type)
        self.shares = Quantity.from_int(SHARES)

    def on_bar(self, bar):
        self.bars += 1
        instrument = bar.bar_type.instrument_id
        average = self.averages.get(instrument)
        if average is None:
            average = self.averages[instrument] = Average()
        average.add(round(float(bar.close) * 10_000))
        if len(average.closes) < slow:
            return
        is_above = average.fast * (slow // fast) > average.slow
        if is_above != average.held:
            average.held = is_above
            side = OrderSide.BUY if is_above else OrderSide.SELL
            self.submit_order(self.order_factory.market(instrument, side, self.shares))

    def on_order_filled(self, event):
        sign = 1 if event.order_side == OrderSide.BUY else -1
        self.fills.append((sign * int(event.last_qty), round(float(event.last_px) * 10_000)))


catalog = ParquetDataCatalog(folder)
instruments = catalog.instruments()
bar_types = [BarType.from_str(f"{each.id}-1-MINUTE-LAST-EXTERNAL") for each in instruments]
venues = sorted({str(each.id.venue) for each in instruments})
config = BacktestRunConfig(
    engine=BacktestEngineConfig(logging=LoggingConfig(bypass_logging=True), run_analysis=False),
    venues=[
        BacktestVenueConfig(
            name=venue, oms_type="NETTING", account_type="CASH", base_currency="VND", starting_balances=["1000000000000 VND"]
        )
        for venue in venues
    ],
    data=[BacktestDataConfig(catalog_path=folder, data_cls=Bar, bar_types=[str(each) for each in bar_types])],
    chunk_size=BARS_AT_ONCE,
    dispose_on_completion=False,
)
node = BacktestNode(configs=[config])
node.build()
engine = node.get_engine(config.id)
strategy = Crossing(StrategyConfig())
engine.add_strategy(strategy)
start, cpu = time.perf_counter(), time.process_time()
node.run()
json.dump(
    {
        "engine": f"nautilus_trader {nautilus_trader.__version__}",
        "bars": strategy.bars,
        "fills": len(strategy.fills),
        "shares": sum(shares for shares, _ in strategy.fills),
        # What was spent, in ten-thousandths of a dong.
        "spent": sum(shares * price for shares, price in strategy.fills),
        "seconds": time.perf_counter() - start,
        "cpu_seconds": time.process_time() - cpu,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    },
    sys.stdout,
)
sys.stdout.write("\n")
