-- grain: one row per derived relation, trading date and key whose rows are withheld because of the rows that
--   they are derived from; key null: the whole session. Reference prices compare a session with the one
--   before, so the session after a withheld summary is withheld too, and so is every adjustment event with a
--   basis of it. Reads withheld: the rows of sql/recon/withheld.sql.
WITH withheld_row AS (
  SELECT DISTINCT relation, trading_date, unnest(coalesce(keys, [NULL])) AS key FROM withheld
), summary_row AS (
  SELECT trading_date, key FROM withheld_row WHERE relation = 'market.daily_summary'
), reference_row AS (
  SELECT trading_date, key FROM withheld_row
  WHERE relation IN ('market.daily_summary', 'market.price_limit')
  UNION
  SELECT (SELECT min(band.trading_date) FROM market.price_limit band
    WHERE band.trading_date > summary_row.trading_date), NULL
  FROM summary_row WHERE key IS NULL
  UNION
  -- a basis is at most 45 days old (mart.reference_basis)
  SELECT min(band.trading_date), key
  FROM (FROM summary_row WHERE key IS NOT NULL) named
  JOIN market.price_limit band ON band.symbol = key AND band.trading_date > named.trading_date
    AND band.trading_date <= named.trading_date + 45
  GROUP BY named.trading_date, key
  UNION
  SELECT event.ex_date, key
  FROM mart.adjustment_event event
  JOIN summary_row ON summary_row.trading_date = event.basis_date AND coalesce(key = event.symbol, true)
)
SELECT DISTINCT 'mart.intraday' AS relation, trading_date, key
FROM withheld_row WHERE relation IN ('market.candle', 'market.price_limit')
UNION ALL
SELECT unnest(['mart.adjustment_event', 'mart.chain_gap']), trading_date, key
FROM reference_row WHERE trading_date IS NOT NULL
UNION ALL
-- the reference prices of a single symbol do not make a faulty day
SELECT 'mart.reference_glitch', trading_date, NULL
FROM reference_row WHERE trading_date IS NOT NULL AND key IS NULL
UNION ALL
SELECT DISTINCT 'mart.session_factor', trading_date, key
FROM withheld_row WHERE relation IN ('market.daily_summary', 'market.price_limit')
