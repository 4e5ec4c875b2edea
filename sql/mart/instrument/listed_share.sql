-- grain: one row per symbol and validity of a number of listed shares
-- Market capitalisation, turnover and weights need the shares of the session, not the last ones: after a
-- split of two for one those are twice too many. A list that reports none does not end what an earlier one
-- reported. The first list that reports shares counts for all sessions before it too: reported_from is then
-- after them, and a change in between is not known. A table of the lake too: its dates lie within those of
-- ClickHouse, 1900-01-01 to 2299-12-31.
CREATE OR REPLACE VIEW mart.listed_share AS
WITH reported_share AS (
  SELECT symbol, listed_share, valid_from AS reported_from
  FROM market.security_history WHERE listed_share > 0
  UNION ALL
  SELECT symbol, listed_share, NULL
  FROM market.security
  ANTI JOIN (FROM market.security_history WHERE listed_share > 0) USING (symbol)
  WHERE listed_share > 0
)
SELECT symbol, listed_share, reported_from,
  CASE WHEN row_number() OVER share_history = 1 THEN DATE '1900-01-01' ELSE reported_from END AS valid_from,
  coalesce(lead(reported_from) OVER share_history - 1, DATE '2299-12-31') AS valid_to
FROM reported_share
WINDOW share_history AS (PARTITION BY symbol ORDER BY reported_from);
COMMENT ON VIEW mart.listed_share IS
  'One row per symbol and validity: listed shares or units as the security lists reported them over time. '
  'Join on trading_date BETWEEN valid_from AND valid_to.';
COMMENT ON COLUMN mart.listed_share.listed_share IS 'Listed shares or units, above 0.';
COMMENT ON COLUMN mart.listed_share.reported_from IS
  'Trading date of the list that first reported this number; null where no list of a day has it. After a '
  'trading date of valid_from to valid_to: the earliest number known, that of the session may have been '
  'another.';
COMMENT ON COLUMN mart.listed_share.valid_from IS
  'First trading date on which the row is valid; 1900-01-01 for the earliest number known.';
COMMENT ON COLUMN mart.listed_share.valid_to IS
  'Last trading date on which the row is valid; 2299-12-31 while it still is.';
