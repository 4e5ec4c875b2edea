-- grain: one row per symbol and validity of an industry
-- As mart.listed_share: a list without an industry does not end what an earlier one reported, and the first
-- list that reports one counts for all sessions before it too.
CREATE OR REPLACE VIEW mart.industry AS
WITH reported_industry AS (
  SELECT symbol, icb_code, icb_name, valid_from AS reported_from
  FROM market.security_history WHERE icb_code <> ''
  UNION ALL
  SELECT symbol, icb_code, icb_name, NULL
  FROM market.security
  ANTI JOIN (FROM market.security_history WHERE icb_code <> '') USING (symbol)
  WHERE icb_code <> ''
)
SELECT symbol, icb_code, icb_name, reported_from,
  CASE WHEN row_number() OVER industry_history = 1 THEN DATE '0001-01-01'
    ELSE reported_from END AS valid_from,
  coalesce(lead(reported_from) OVER industry_history - 1, DATE '9999-12-31') AS valid_to
FROM reported_industry
WINDOW industry_history AS (PARTITION BY symbol ORDER BY reported_from);
COMMENT ON VIEW mart.industry IS
  'One row per symbol and validity: its industry (ICB) as the security lists reported it over time. Join on '
  'trading_date BETWEEN valid_from AND valid_to.';
COMMENT ON COLUMN mart.industry.icb_name IS 'Industry name (ICB); null where the list does not have it.';
COMMENT ON COLUMN mart.industry.reported_from IS
  'Trading date of the list that first reported it; null where no list of a day has it. After a trading date '
  'of valid_from to valid_to: the earliest one known, that of the session may have been another.';
COMMENT ON COLUMN mart.industry.valid_from IS
  'First trading date on which the row is valid; 0001-01-01 for the earliest industry known.';
