-- grain: one row per symbol that was listed in the session: the one that is asked for, else the latest
-- Fractions are fractions (0.01 = 1 %), money is VND. Doubles: a screen compares and sorts, exact values are
-- in mart.daily_factor. chain_known_from: where closes of the 395 days that factors look back on are older
-- than it, so that factors may miss an adjustment (mart.chain_known).
WITH session AS (
  SELECT max(trading_date) AS trading_date
  FROM mart.session_factor
  WHERE $session = '' OR trading_date <= TRY_CAST($session AS DATE)
), first_close AS (
  SELECT symbol, min(trading_date) AS trading_date
  FROM mart.session_factor
  WHERE close IS NOT NULL AND trading_date >= (SELECT trading_date FROM session) - 395
  GROUP BY symbol
), chain AS (
  SELECT symbol, max(trading_date) AS chain_known_from
  FROM mart.chain_gap
  WHERE trading_date <= (SELECT trading_date FROM session)
  GROUP BY symbol
)
SELECT factor.symbol, factor.trading_date, factor.kind, factor.board,
  coalesce(security.symbol_name_en, security.symbol_name_vi, '') AS name,
  coalesce(security.icb_name, '') AS industry,
  CAST(factor.close AS DOUBLE) AS close, return_1, return_5, return_20, return_60, return_120, return_250,
  close_volatility_20, from_high_52w, from_low_52w,
  CAST(median_value_20 AS DOUBLE) AS median_value_20, tier,
  CAST(foreign_net_value_5 AS DOUBLE) AS foreign_net_value_5,
  CAST(foreign_net_value_20 AS DOUBLE) AS foreign_net_value_20, foreign_streak, limit_streak,
  beta_vnindex_120, CAST(market_cap AS DOUBLE) AS market_cap, turnover_20, zero_trade_days_20,
  CASE WHEN chain.chain_known_from > first_close.trading_date
    THEN chain.chain_known_from END AS chain_known_from
FROM mart.daily_factor factor
LEFT JOIN market.security security ON security.symbol = factor.symbol
LEFT JOIN first_close ON first_close.symbol = factor.symbol
LEFT JOIN chain ON chain.symbol = factor.symbol
WHERE factor.trading_date = (SELECT trading_date FROM session)
ORDER BY factor.symbol
