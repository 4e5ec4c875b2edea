-- grain: one row per symbol and session on which it was listed
-- Over the last 20 sessions on which the symbol was listed (mart.listing), this one included, whether it
-- traded or not: a session without trades counts as zero. It counts as one only where that is known: a
-- summary shows so, or the service has answered for that session and named others alone. Sessions of which
-- nothing is stored are excluded from every figure; sessions_20 describes how many remain. Tiers by the
-- median, which one block trade does not move: 1 from 100 billion VND per session, 2 from 10, 3 from 1, 4
-- below.
CREATE OR REPLACE VIEW mart.liquidity AS
WITH covered_session AS (
  SELECT DISTINCT key, window_from AS trading_date
  FROM ops.coverage
  WHERE dataset = 'securitiesSummary' AND state IN ('complete', 'empty')
    -- what is withheld from readers was answered, but is not visible
    AND window_from IN (SELECT trading_date FROM market.daily_summary)
), listed_session AS (
  SELECT listing.symbol, listing.trading_date,
    summary.symbol IS NOT NULL OR whole_market.trading_date IS NOT NULL
      OR single_symbol.trading_date IS NOT NULL AS known,
    CASE WHEN known THEN CAST(coalesce(summary.total_match, 0) AS DOUBLE) END AS volume,
    CASE WHEN volume = 0 THEN 0 ELSE CAST(summary.total_match_value AS DOUBLE) END AS value,
    CASE WHEN known THEN CAST(coalesce(summary.total_deal, 0) AS DOUBLE) END AS deal_volume,
    CASE WHEN deal_volume = 0 THEN 0 ELSE CAST(summary.total_deal_value AS DOUBLE) END AS deal_value
  FROM mart.listing listing
  LEFT JOIN market.daily_summary summary
    ON summary.symbol = listing.symbol AND summary.trading_date = listing.trading_date
  LEFT JOIN covered_session whole_market
    ON whole_market.key = '*' AND whole_market.trading_date = listing.trading_date
  LEFT JOIN covered_session single_symbol
    ON single_symbol.key = listing.symbol AND single_symbol.trading_date = listing.trading_date
), liquidity_window AS (
  SELECT symbol, trading_date,
    count(volume) OVER last_20 AS sessions_20,
    count(*) FILTER (WHERE volume = 0) OVER last_20 AS zero_trade_days_20,
    avg(volume) OVER last_20 AS mean_volume_20,
    median(volume) OVER last_20 AS median_volume_20,
    avg(value) OVER last_20 AS mean_value_20,
    median(value) OVER last_20 AS median_value_20,
    avg(deal_volume) OVER last_20 AS mean_deal_volume_20,
    avg(deal_value) OVER last_20 AS mean_deal_value_20
  FROM listed_session
  WINDOW last_20 AS (PARTITION BY symbol ORDER BY trading_date ROWS 19 PRECEDING)
)
SELECT liquidity_window.*,
  liquidity_window.mean_volume_20
    / CASE WHEN security.listed_share > 0 THEN CAST(security.listed_share AS DOUBLE) END AS turnover_20,
  CASE WHEN sessions_20 < 10 THEN NULL
    WHEN median_value_20 >= 100e9 THEN 1 WHEN median_value_20 >= 10e9 THEN 2
      WHEN median_value_20 >= 1e9 THEN 3
    WHEN median_value_20 >= 0 THEN 4 END AS tier
FROM liquidity_window
LEFT JOIN market.security security ON security.symbol = liquidity_window.symbol;
COMMENT ON VIEW mart.liquidity IS
  'One row per symbol and session on which it was listed: how much of it was traded over its last 20 listed '
  'sessions, this one included, those without trades counted as zero.';
COMMENT ON COLUMN mart.liquidity.sessions_20 IS
  'Sessions of the last 20 listed ones whose trading is known: the figures are over these. Fewer than 20 '
  'after a listing, and where summaries are not stored.';
COMMENT ON COLUMN mart.liquidity.zero_trade_days_20 IS 'Of these, sessions in which nothing matched.';
COMMENT ON COLUMN mart.liquidity.mean_volume_20 IS
  'Mean matched volume a session, shares or contracts of each day (not adjusted for splits); null where '
  'nothing is known.';
COMMENT ON COLUMN mart.liquidity.median_volume_20 IS 'Median matched volume a session, as mean_volume_20.';
COMMENT ON COLUMN mart.liquidity.mean_value_20 IS
  'Mean matched value a session, VND; null where nothing is known.';
COMMENT ON COLUMN mart.liquidity.median_value_20 IS 'Median matched value a session, VND.';
COMMENT ON COLUMN mart.liquidity.mean_deal_volume_20 IS
  'Mean put-through volume a session, shares or contracts; no part of the matched figures.';
COMMENT ON COLUMN mart.liquidity.mean_deal_value_20 IS
  'Mean put-through value a session, VND; no part of the matched figures.';
COMMENT ON COLUMN mart.liquidity.turnover_20 IS
  'mean_volume_20 / listed_share as last known, a fraction a session; null where listed shares are not '
  'reported. Before a split or an issue of shares it is too small.';
COMMENT ON COLUMN mart.liquidity.tier IS
  'By median_value_20: 1 from 100 billion VND, 2 from 10 billion, 3 from 1 billion, 4 below; null under 10 '
  'sessions.';
