-- grain: one row per adjustment event of the symbol
SELECT symbol, ex_date, state, coalesce(kinds, '') AS kinds, factor, observed_factor, declared_factor,
  previous_basis, ref_price, basis_kind, coalesce(remark, '') AS remark
FROM mart.adjustment_event
WHERE symbol = $symbol
ORDER BY ex_date
