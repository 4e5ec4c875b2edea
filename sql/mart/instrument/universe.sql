-- grain: one row per symbol and session that names it: by its price limits or a daily summary
-- Who could be traded on a day, those delisted since included: what mart.universe_as_of returns with told_by
-- session, for all sessions at once. A row depends on its own session alone, so that it never changes when
-- later lists arrive; names and industry are in mart.instrument and market.security_history.
CREATE OR REPLACE VIEW mart.universe AS
SELECT symbol, trading_date, mart.instrument_kind(symbol, NULL) AS kind, upper(exchange) AS board,
  true AS has_limits
FROM market.price_limit
UNION ALL
SELECT summary.symbol, summary.trading_date, mart.instrument_kind(summary.symbol, NULL) AS kind,
  NULL AS board, false AS has_limits
FROM market.daily_summary summary
ANTI JOIN market.price_limit band USING (symbol, trading_date);
COMMENT ON VIEW mart.universe IS
  'One row per symbol and session that names it, those delisted since included: the universe of each '
  'session.';
COMMENT ON COLUMN mart.universe.board IS
  'HOSE, HNX or UPCOM by the price limits of that session; null without them.';
COMMENT ON COLUMN mart.universe.has_limits IS
  'Whether its price limits of the session are stored; false: a daily summary alone names it.';
