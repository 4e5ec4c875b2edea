-- grain: one row per symbol and session whose reference price has a basis: the sessions to refresh, and 15
--   days around them, in which a declaration may name another day
FROM mart.reference_break('market.price_limit', 'market.daily_summary', getvariable('refresh_first') - 15,
  getvariable('refresh_last') + 15)
