-- grain: one row per symbol with a close in the days given: the latest one, as plain decimal text
-- Bound: the symbols as a JSON array, first and last day
WITH wanted AS (
  SELECT unnest(from_json(?, '["VARCHAR"]')) AS symbol
)
SELECT symbol, regexp_replace(CAST(close AS VARCHAR), '\.?0+$', '') AS close
FROM market.daily_summary SEMI JOIN wanted USING (symbol)
WHERE trading_date BETWEEN ?::DATE AND ?::DATE AND close > 0
QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY trading_date DESC) = 1;
