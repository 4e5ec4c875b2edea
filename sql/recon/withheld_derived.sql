-- grain: one row per derived relation and trading date that is withheld because of the relations it is
--   derived from. Reference prices compare a session with the one before, so the session after a withheld
--   summary is withheld too, and so is every adjustment event with a basis of it. Reads withheld: the rows of
--   sql/recon/withheld.sql.
WITH withheld_session AS (
  SELECT DISTINCT relation, trading_date FROM withheld
), reference_session AS (
  SELECT trading_date FROM withheld_session WHERE relation IN ('market.daily_summary', 'market.price_limit')
  UNION
  SELECT (SELECT min(band.trading_date) FROM market.price_limit band
    WHERE band.trading_date > withheld_session.trading_date)
  FROM withheld_session WHERE relation = 'market.daily_summary'
  UNION
  SELECT event.ex_date
  FROM mart.adjustment_event event
  JOIN withheld_session
    ON withheld_session.relation = 'market.daily_summary' AND withheld_session.trading_date = event.basis_date
)
SELECT DISTINCT 'mart.intraday' AS relation, trading_date
FROM withheld_session WHERE relation IN ('market.candle', 'market.price_limit')
UNION ALL
SELECT unnest(['mart.adjustment_event', 'mart.reference_glitch', 'mart.chain_gap']), trading_date
FROM reference_session WHERE trading_date IS NOT NULL
UNION ALL
SELECT DISTINCT 'mart.session_factor', trading_date
FROM withheld_session WHERE relation IN ('market.daily_summary', 'market.price_limit')
