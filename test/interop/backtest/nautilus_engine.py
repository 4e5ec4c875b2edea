"""nautilus_trader loads an export: every bar, and ten names held."""
import sys

import nautilus_trader
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.config import LoggingConfig, StrategyConfig
from nautilus_trader.model.data import BarType
from nautilus_trader.model.enums import AccountType, OmsType, OrderSide
from nautilus_trader.model.identifiers import Venue
from nautilus_trader.model.objects import Currency, Money, Quantity
from nautilus_trader.persistence.catalog import ParquetDataCatalog
from nautilus_trader.trading.strategy import Strategy

import truth

folder, file = sys.argv[1:]
VND = Currency.from_str("VND")
catalog = ParquetDataCatalog(folder)
rows = truth.read(file)
instruments = {str(instrument.raw_symbol): instrument for instrument in catalog.instruments()}
type_of = lambda symbol: f"{instruments[symbol].id}-1-DAY-LAST-EXTERNAL"
bars = differing = 0
stored = {}
for symbol, wanted in rows.items():
    stored[symbol] = catalog.bars([type_of(symbol)])
    bars += len(wanted)
    for name in ("open", "high", "low", "close"):
        values = [float(getattr(bar, name)) for bar in stored[symbol]]
        # Four decimals.
        differing += sum(abs(a - row[name]) > 0.00005 + 1e-9 for a, row in zip(values, wanted, strict=True))
    volumes = [float(bar.volume) for bar in stored[symbol]]
    # Whole shares.
    differing += sum(abs(a - row["volume"]) > 0.5 for a, row in zip(volumes, wanted, strict=True))


class Hold(Strategy):
    """Buys each name at its first bar."""

    def on_start(self):
        for symbol in truth.held(rows):
            self.subscribe_bars(BarType.from_str(type_of(symbol)))

    def on_bar(self, bar):
        instrument = self.cache.instrument(bar.bar_type.instrument_id)
        if self.portfolio.is_flat(instrument.id) and not self.cache.orders(instrument_id=instrument.id):
            quantity = Quantity.from_int(int(1e9 / float(bar.close)))
            self.submit_order(self.order_factory.market(instrument.id, OrderSide.BUY, quantity))


engine = BacktestEngine(BacktestEngineConfig(logging=LoggingConfig(bypass_logging=True)))
held = truth.held(rows)
for venue in sorted({str(instruments[symbol].id.venue) for symbol in held}):
    engine.add_venue(
        venue=Venue(venue),
        oms_type=OmsType.NETTING,
        account_type=AccountType.CASH,
        base_currency=VND,
        starting_balances=[Money(2e10, VND)],
    )
for symbol in held:
    engine.add_instrument(instruments[symbol])
    engine.add_data(stored[symbol])
engine.add_strategy(Hold(StrategyConfig()))
engine.run()
spent = worth = wanted = 0.0
for position in engine.cache.positions():
    symbol = str(position.instrument_id.symbol)
    shares, price = float(position.quantity), float(position.avg_px_open)
    last = engine.cache.bar(BarType.from_str(type_of(symbol)))
    spent += shares * price
    worth += shares * float(last.close)
    wanted += shares * price * rows[symbol][-1]["close"] / rows[symbol][0]["close"]
truth.answer(
    engine=f"nautilus_trader {nautilus_trader.__version__}",
    bars=bars,
    differing=differing,
    total_return=worth / spent - 1,
    wanted_return=wanted / spent - 1,
    positions=len(engine.cache.positions()),
)
