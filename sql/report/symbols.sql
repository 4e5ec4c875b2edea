-- grain: one row per stock, ETF or fund that traded in the session
-- Streaks are closes at the limit in a row, of the last 30 days alone: mart.limit_hit would read all history.
WITH recent_close AS (
  SELECT daily.symbol, daily.trading_date, daily.close >= daily.ceiling AS at_ceiling,
    daily.close <= daily.floor AS at_floor,
    row_number() OVER (PARTITION BY daily.symbol ORDER BY daily.trading_date DESC) AS sessions_ago
  FROM mart.daily daily
  WHERE daily.trading_date <= $session AND daily.trading_date > $session - INTERVAL 30 DAY
    AND daily.total_match > 0 AND daily.close > 0 AND daily.ceiling > daily.floor
), streak AS (
  SELECT symbol,
    coalesce(min(sessions_ago) FILTER (WHERE NOT at_ceiling), max(sessions_ago) + 1) - 1 AS ceilings,
    coalesce(min(sessions_ago) FILTER (WHERE NOT at_floor), max(sessions_ago) + 1) - 1 AS floors
  FROM recent_close
  GROUP BY symbol
)
SELECT daily.symbol, daily.kind, daily.board, security.symbol_name_en AS name, security.icb_name AS sector,
  CAST(daily.close AS DOUBLE) AS close, CAST(daily.ref_price AS DOUBLE) AS ref_price,
  CASE WHEN daily.ref_price > 0
    THEN CAST(daily.close AS DOUBLE) / CAST(daily.ref_price AS DOUBLE) - 1 END AS change_part,
  CAST(daily.total_match_value AS DOUBLE) AS match_value,
  CAST(daily.total_deal_value AS DOUBLE) AS deal_value, CAST(daily.total_deal AS DOUBLE) AS deal_volume,
  CAST(daily.total_foreign_buy_value AS DOUBLE) AS foreign_buy,
  CAST(daily.total_foreign_sell_value AS DOUBLE) AS foreign_sell,
  CASE WHEN daily.total_foreign_room > 0 THEN 1 - CAST(daily.remain_foreign_room AS DOUBLE)
    / CAST(daily.total_foreign_room AS DOUBLE) END AS room_used,
  coalesce(daily.ceiling > daily.floor AND daily.close >= daily.ceiling, false) AS at_ceiling,
  coalesce(daily.ceiling > daily.floor AND daily.close <= daily.floor, false) AS at_floor,
  coalesce(daily.ceiling > daily.floor AND daily.high >= daily.ceiling, false) AS touched_ceiling,
  coalesce(daily.ceiling > daily.floor AND daily.low > 0 AND daily.low <= daily.floor,
    false) AS touched_floor,
  CAST(greatest(streak.ceilings, streak.floors) AS DOUBLE) AS streak
FROM mart.daily daily
LEFT JOIN market.security security USING (symbol)
LEFT JOIN streak USING (symbol)
WHERE daily.trading_date = $session AND daily.kind IN ('stock', 'etf')
  AND (daily.total_match > 0 OR daily.total_deal > 0)
ORDER BY match_value DESC NULLS LAST, symbol;
