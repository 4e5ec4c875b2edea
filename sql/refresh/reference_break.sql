-- grain: one row per symbol and session whose reference price can be compared with its basis: the sessions to
--   refresh, and 15 days around them, in which a declaration may name another day
FROM mart.adjustment_candidate(getvariable('refresh_first') - 15, getvariable('refresh_last') + 15)
