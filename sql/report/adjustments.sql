-- grain: one row per symbol whose reference price was adjusted since the night before
SELECT symbol, ex_date, CAST(previous_basis AS DOUBLE) AS previous_basis,
  CAST(ref_price AS DOUBLE) AS ref_price, factor, basis_kind
FROM mart.adjustment_event
WHERE ex_date > $before AND ex_date <= $day
ORDER BY abs(ln(factor)) DESC, symbol;
