-- Whose hours, ticks and bands a symbol of an exchange trades by: futures are listed under HNX and trade as
-- DERIVATIVE.
CREATE OR REPLACE MACRO mart.trading_board(symbol, exchange) AS (
  CASE
    WHEN mart.instrument_kind(symbol, NULL) IN ('future', 'spread') THEN 'DERIVATIVE'
    ELSE upper(exchange)
  END
);
COMMENT ON MACRO mart.trading_board IS
  'Whose hours a symbol trades by: its exchange (HOSE, HNX, UPCOM), DERIVATIVE for futures; null where the '
  'exchange is.';
