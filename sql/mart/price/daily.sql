-- grain: one row per symbol and trading_date that has a daily summary
-- The price limits of the session beside it: null where they were not reported, so that no session that
-- traded is hidden.
CREATE OR REPLACE VIEW mart.daily AS
SELECT summary.symbol, summary.trading_date,
  mart.instrument_kind(summary.symbol, NULL) AS kind, upper(band.exchange) AS board,
  band.ref_price, band.ceiling, band.floor,
  summary.open, summary.high, summary.low, summary.close, summary.average,
  summary.price_change, summary.price_change_percentage,
  summary.total_match, summary.total_match_value, summary.total_deal, summary.total_deal_value,
  summary.total_buy, summary.total_trade_buy, summary.total_sell, summary.total_trade_sell,
  summary.total_foreign_buy, summary.total_foreign_buy_value, summary.total_foreign_sell,
  summary.total_foreign_sell_value,
  summary.remain_foreign_room, summary.total_foreign_room,
  summary.open_interest, summary.settlement_price
FROM market.daily_summary summary
LEFT JOIN market.price_limit band
  ON band.symbol = summary.symbol AND band.trading_date = summary.trading_date;
COMMENT ON VIEW mart.daily IS
  'One row per symbol and session: the summary of the session with its price limits. Raw prices.';
COMMENT ON COLUMN mart.daily.kind IS
  'stock, etf, covered_warrant or future, by the form of the code (mart.instrument has it from the '
  'underlying too).';
COMMENT ON COLUMN mart.daily.board IS
  'HOSE, HNX or UPCOM on that day; null where no price limits were reported.';
COMMENT ON COLUMN mart.daily.ref_price IS
  'Reference price, VND (futures: index points); null where no price limits were reported.';
COMMENT ON COLUMN mart.daily.ceiling IS 'Highest price allowed, as ref_price.';
COMMENT ON COLUMN mart.daily.floor IS 'Lowest price allowed, as ref_price.';
COMMENT ON COLUMN mart.daily.price_change IS 'close - ref_price as the service reports it.';
COMMENT ON COLUMN mart.daily.price_change_percentage IS
  'price_change / ref_price as the service reports it, percent.';
COMMENT ON COLUMN mart.daily.total_deal IS 'Put-through volume, shares.';
COMMENT ON COLUMN mart.daily.total_buy IS
  'Buy orders: one of total_buy and total_trade_buy is a count, the other a volume; deployments differ.';
COMMENT ON COLUMN mart.daily.total_trade_buy IS 'See total_buy.';
COMMENT ON COLUMN mart.daily.total_sell IS 'Sell orders: as total_buy.';
COMMENT ON COLUMN mart.daily.total_trade_sell IS 'See total_sell.';
COMMENT ON COLUMN mart.daily.total_foreign_buy IS 'Bought by foreign investors, shares.';
COMMENT ON COLUMN mart.daily.total_foreign_sell IS 'Sold by foreign investors, shares.';
COMMENT ON COLUMN mart.daily.remain_foreign_room IS
  'Shares foreigners may still buy; negative = over the limit.';
COMMENT ON COLUMN mart.daily.total_foreign_room IS 'Shares foreigners may hold in all.';
COMMENT ON COLUMN mart.daily.open_interest IS 'Open interest of a future, contracts; null for stocks.';
COMMENT ON COLUMN mart.daily.settlement_price IS
  'Settlement price of a future, index points; null for stocks.';
