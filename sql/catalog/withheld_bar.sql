-- grain: one row per symbol and trading date whose bars are withheld; symbol null: those of all symbols
CREATE TABLE ops.withheld_bar (
  symbol       VARCHAR,
  trading_date DATE
);
COMMENT ON TABLE ops.withheld_bar IS
  'Sessions and symbols whose bars are withheld, because a rule of severity error is broken: market.candle '
  'derives no daily bars for them.';
COMMENT ON COLUMN ops.withheld_bar.symbol IS 'Symbol; null: all of the session.';
COMMENT ON COLUMN ops.withheld_bar.trading_date IS 'Session of the withheld bars.';
