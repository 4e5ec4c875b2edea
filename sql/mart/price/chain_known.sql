-- grain: one row per symbol with a session whose adjustment to the session before is not known: its first
--   session at least
CREATE OR REPLACE VIEW mart.chain_known AS
SELECT symbol, max(trading_date) AS chain_known_from, arg_max(reason, trading_date) AS reason
FROM mart.chain_gap
GROUP BY symbol;
COMMENT ON VIEW mart.chain_known IS
  'One row per symbol: from which session on its adjusted prices rest on known factors alone, and why not '
  'before (mart.chain_gap).';
COMMENT ON COLUMN mart.chain_known.reason IS
  'Why the adjustment from the session before chain_known_from is not known: mart.chain_gap.reason.';
