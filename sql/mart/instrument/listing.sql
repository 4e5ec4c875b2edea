-- grain: one row per symbol and session on which it was listed, whether it traded or not
-- The price limits of a session name every listed symbol and its board of that day; a daily summary without
-- one still shows that the symbol was there, then with the board of the security list.
CREATE OR REPLACE VIEW mart.listing AS
SELECT symbol, trading_date, upper(exchange) AS board
FROM market.price_limit
UNION ALL
SELECT summary.symbol, summary.trading_date, upper(security.board) AS board
FROM market.daily_summary summary
ANTI JOIN market.price_limit band USING (symbol, trading_date)
LEFT JOIN market.security security ON security.symbol = summary.symbol;
COMMENT ON VIEW mart.listing IS
  'One row per symbol and session on which it was listed, whether it traded or not: the spine of windows '
  'counted in sessions.';
COMMENT ON COLUMN mart.listing.board IS
  'HOSE, HNX or UPCOM on that day, from its price limits; where they are missing, as the security list is '
  'now.';
