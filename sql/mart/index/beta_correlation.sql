-- grain: one row per symbol, index (VNINDEX, VN30) and session with a close and an index value
-- Daily returns of the adjusted close against those of the index over the same sessions: after a halt both
-- are over the sessions that the symbol did not have, up to 45 days. The index is a price index, the symbol's
-- dividends are adjusted for. A pair needs the index at both ends. Null under 60 pairs of 120 sessions and
-- 125 of 250: half of them. From mart.session_factor, which counts sessions within 395 days.
CREATE OR REPLACE VIEW mart.beta_correlation AS
SELECT symbol, 'VNINDEX' AS index_code, trading_date, mart.instrument_kind(symbol, NULL) AS kind,
  beta_vnindex_120 AS beta_120, correlation_vnindex_120 AS correlation_120, pairs_vnindex_120 AS pairs_120,
  beta_vnindex_250 AS beta_250, correlation_vnindex_250 AS correlation_250, pairs_vnindex_250 AS pairs_250
FROM mart.session_factor
WHERE pairs_vnindex_120 IS NOT NULL
UNION ALL
SELECT symbol, 'VN30', trading_date, mart.instrument_kind(symbol, NULL),
  beta_vn30_120, correlation_vn30_120, pairs_vn30_120, beta_vn30_250, correlation_vn30_250, pairs_vn30_250
FROM mart.session_factor
WHERE pairs_vn30_120 IS NOT NULL;
COMMENT ON VIEW mart.beta_correlation IS
  'One row per symbol, index (VNINDEX, VN30) and session: how its daily returns go with those of the index, '
  'over its last 120 and 250 sessions.';
COMMENT ON COLUMN mart.beta_correlation.index_code IS
  'VNINDEX or VN30, in this spelling whatever the deployment writes.';
COMMENT ON COLUMN mart.beta_correlation.beta_120 IS
  'Covariance with the index over the variance of the index, daily returns of 120 sessions; null under 60 '
  'pairs, or where the index did not move.';
COMMENT ON COLUMN mart.beta_correlation.correlation_120 IS
  'Correlation with the index, daily returns of 120 sessions, -1 to 1; null as beta_120, and where the '
  'price did not move.';
COMMENT ON COLUMN mart.beta_correlation.pairs_120 IS 'Pairs of returns in the 120 sessions.';
COMMENT ON COLUMN mart.beta_correlation.beta_250 IS 'As beta_120, 250 sessions; null under 125 pairs.';
COMMENT ON COLUMN mart.beta_correlation.correlation_250 IS
  'As correlation_120, 250 sessions; null under 125 pairs.';
COMMENT ON COLUMN mart.beta_correlation.pairs_250 IS 'Pairs of returns in the 250 sessions.';
