-- grain: one row per symbol and session on which it was listed, where a number of listed shares is known
-- The raw close of the session times the listed shares valid on it (mart.listed_share), so that a split
-- moves neither: both change on its day. A list that is read late has the new number late: then market_cap
-- jumps on the ex-date and back on listed_share_from. All listed shares count; the API has no free float.
CREATE OR REPLACE VIEW mart.market_cap AS
WITH share_number AS (
  SELECT *, lag(listed_share) OVER share_numbers AS listed_share_before
  FROM mart.listed_share
  WINDOW share_numbers AS (PARTITION BY symbol ORDER BY valid_from)
)
SELECT factor.symbol, factor.trading_date, mart.instrument_kind(factor.symbol, NULL) AS kind, factor.board,
  factor.close, share_number.listed_share,
  share_number.reported_from AS listed_share_from,
  coalesce(share_number.reported_from <= factor.trading_date, false) AS is_listed_share_known,
  CAST(factor.close AS DOUBLE) * share_number.listed_share AS market_cap,
  share_number.listed_share_before,
  share_number.listed_share / share_number.listed_share_before - 1 AS listed_share_change
FROM mart.session_factor factor
JOIN share_number ON share_number.symbol = factor.symbol
  AND factor.trading_date BETWEEN share_number.valid_from AND share_number.valid_to;
COMMENT ON VIEW mart.market_cap IS
  'One row per symbol and session on which it was listed: market capitalisation by the listed shares of that '
  'session. Raw prices.';
COMMENT ON COLUMN mart.market_cap.board IS
  'Board of the session: HOSE, HNX or UPCOM; null without price limits.';
COMMENT ON COLUMN mart.market_cap.close IS 'Last price, VND, raw; null where none above zero was reported.';
COMMENT ON COLUMN mart.market_cap.listed_share IS
  'Listed shares (etf: units, covered_warrant: warrants) by the security list of that session, else of the '
  'earliest list that reports them.';
COMMENT ON COLUMN mart.market_cap.listed_share_from IS
  'Trading date of the list that first reported this number; null where no list of a day has it.';
COMMENT ON COLUMN mart.market_cap.is_listed_share_known IS
  'Whether a list of this session or before it reports listed_share; false: a later one does, and a change '
  'in between is not known.';
COMMENT ON COLUMN mart.market_cap.market_cap IS 'close x listed_share, VND; null without a close.';
COMMENT ON COLUMN mart.market_cap.listed_share_before IS
  'Number of listed shares that was valid before this one; null for the earliest that is known.';
COMMENT ON COLUMN mart.market_cap.listed_share_change IS
  'listed_share / listed_share_before - 1, a fraction: by how much the last change was, on all sessions of '
  'this number; null as listed_share_before.';
