-- grain: one row per account, trading date, kind and industry (ICB) of its positions
-- Stocks by their industry on that session (mart.industry), null where no list has one; funds, warrants and
-- contracts are a row of their kind each, with no industry.
CREATE OR REPLACE VIEW mart.account_sector AS
WITH position AS (
  SELECT value.account_no, value.trading_date, value.symbol, value.quantity, value.market_value,
    mart.instrument_kind(value.symbol, NULL) AS kind, CASE WHEN kind = 'stock' THEN value.symbol END AS stock
  FROM mart.position_value value
  WHERE value.quantity <> 0
), classified_position AS (
  SELECT position.*, industry.icb_code, industry.icb_name
  FROM position
  LEFT JOIN mart.industry industry ON industry.symbol = position.stock
    AND position.trading_date BETWEEN industry.valid_from AND industry.valid_to
), sector_total AS (
  SELECT account_no, trading_date, kind, icb_code, max(icb_name) AS icb_name, count(*) AS positions,
    CASE WHEN count(*) = count(market_value) THEN sum(market_value) END AS market_value,
    CASE WHEN count(*) = count(market_value) THEN sum(abs(market_value)) END AS gross_value
  FROM classified_position
  GROUP BY account_no, trading_date, kind, icb_code
)
SELECT account_no, trading_date, kind, icb_code, icb_name, positions, market_value,
  CASE WHEN count(*) OVER account_total = count(gross_value) OVER account_total
    THEN market_value / nullif(sum(gross_value) OVER account_total, 0) END AS weight
FROM sector_total
WINDOW account_total AS (PARTITION BY account_no, trading_date);
COMMENT ON VIEW mart.account_sector IS
  'One row per account, trading date, kind and industry: what part of the positions it is.';
COMMENT ON COLUMN mart.account_sector.icb_code IS
  'Industry code (ICB) on that session; null for other kinds than stock, and where no list has one.';
COMMENT ON COLUMN mart.account_sector.icb_name IS 'Industry name (ICB); null as icb_code.';
COMMENT ON COLUMN mart.account_sector.positions IS 'Symbols in it.';
COMMENT ON COLUMN mart.account_sector.market_value IS
  'Market value, VND; contracts: what they stand for, short negative. Null where one has no price.';
COMMENT ON COLUMN mart.account_sector.weight IS
  'market_value over the sum of the absolute market values of all positions of the account that day, a '
  'fraction; cash is not in it. Null where a position has no price.';
