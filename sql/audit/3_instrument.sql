-- grain: one row per symbol: what kind of instrument it is, where it trades, VND per unit of price
CREATE OR REPLACE TEMP TABLE instrument AS
SELECT *,
  CASE WHEN kind = 'future' THEN 'DERIVATIVE' ELSE board END AS trading_board,
  CASE WHEN kind = 'future' THEN 100000 ELSE 1 END AS multiplier
FROM (
  SELECT symbol, board, is_listed, first_trading_date, last_trading_date, first_seen, last_seen, lot_size,
    cw_underlying_symbol,
    mart.instrument_kind(symbol, cw_underlying_symbol) AS kind
  FROM market.security
);
