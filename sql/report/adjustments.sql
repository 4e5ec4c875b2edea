-- grain: one row per symbol and ex-date since the night before of a corporate action, seen or declared
SELECT symbol, ex_date, CAST(previous_basis AS DOUBLE) AS previous_basis,
  CAST(ref_price AS DOUBLE) AS ref_price, factor, basis_kind, state, coalesce(kinds, '') AS kinds
FROM mart.adjustment_event
WHERE ex_date > $before AND ex_date <= $day
ORDER BY abs(ln(factor)) DESC, symbol;
