-- grain: one row per symbol and session on which it was listed
-- Over the last 20 sessions on which the symbol was listed (mart.listing), this one included, whether it
-- traded or not: a session without trades counts as zero. It counts as one only where that is known: a
-- summary shows so, or the service has answered for that session and named others alone. Sessions of which
-- nothing is stored are excluded from every figure; sessions_20 describes how many remain. Tiers by the
-- median, which one block trade does not move: 1 from 100 billion VND per session, 2 from 10, 3 from 1, 4
-- below.
-- From mart.session_factor, which looks 120 days back at most.
CREATE OR REPLACE VIEW mart.liquidity AS
SELECT factor.symbol, factor.trading_date, mart.instrument_kind(factor.symbol, NULL) AS kind,
  factor.sessions_20, factor.zero_trade_days_20,
  factor.mean_volume_20, factor.median_volume_20, factor.mean_value_20, factor.median_value_20,
  factor.mean_deal_volume_20, factor.mean_deal_value_20,
  factor.mean_volume_20 / shares.listed_share AS turnover_20,
  factor.tier
FROM mart.session_factor factor
LEFT JOIN mart.listed_share shares ON shares.symbol = factor.symbol
  AND factor.trading_date BETWEEN shares.valid_from AND shares.valid_to;
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
  'mean_volume_20 / listed shares of the session (mart.listed_share), a fraction a session; null where '
  'listed shares are not reported. Volumes are those of each day: for 20 sessions after a split it is too '
  'small.';
COMMENT ON COLUMN mart.liquidity.tier IS
  'By median_value_20: 1 from 100 billion VND, 2 from 10 billion, 3 from 1 billion, 4 below; null under 10 '
  'sessions.';
