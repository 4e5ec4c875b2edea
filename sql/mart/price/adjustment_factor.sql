-- grain: one row per symbol and ex_date: what prices before ex_date, and after the ex_date before it, are
--   multiplied with
CREATE OR REPLACE VIEW mart.adjustment_factor AS
SELECT symbol, ex_date, factor,
  product(factor) OVER (PARTITION BY symbol
    ORDER BY ex_date DESC ROWS UNBOUNDED PRECEDING) AS cumulative_factor
FROM mart.adjustment_event;
COMMENT ON VIEW mart.adjustment_factor IS
  'One row per symbol and ex-date: the product of its factor and of all later ones, which is what adjusts '
  'prices from the ex-date before it up to the day before this one.';
COMMENT ON COLUMN mart.adjustment_factor.ex_date IS 'First session at the new reference price.';
COMMENT ON COLUMN mart.adjustment_factor.factor IS 'ref_price / previous_basis of this event alone.';
COMMENT ON COLUMN mart.adjustment_factor.cumulative_factor IS
  'Product of the factors of this event and all later ones.';
