-- grain: one row per symbol and ex_date of the sessions to refresh: a corporate action, as its reference
--   price shows it
SELECT symbol, ex_date, basis_date, previous_basis, ref_price, factor, basis_kind
FROM mart.adjustment_candidate(getvariable('refresh_first'), getvariable('refresh_last'))
WHERE differs AND NOT market_wide
