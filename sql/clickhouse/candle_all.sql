-- grain: one row per symbol, timeframe and opened_at: fetched bars, and the derived ones that no fetched bar
--   replaces; as the catalog's market.candle
CREATE OR REPLACE VIEW market.candle_all$on_cluster AS
SELECT symbol, timeframe, opened_at, trading_date, open, high, low, close, volume, value, is_derived
FROM market.candle
$derived;
