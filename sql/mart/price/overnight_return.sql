-- grain: one row per symbol and trading_date with a close
-- A session's return in two parts: (1 + overnight_return) x (1 + intraday_return) = close / ref_price, and
-- (1 + close_overnight_return) x (1 + intraday_return) = 1 + close_return_1. The reference price is
-- ex-rights, and so are adjusted closes: a corporate action is in neither part. On UPCOM the reference is
-- the average of the session before, not its close: close_overnight_return means the same on every board.
-- After sessions that the symbol did not trade in, the overnight part is that of all of them. Reads
-- mart.session_factor, and no window: one session is as cheap as its rows.
CREATE OR REPLACE VIEW mart.overnight_return AS
WITH opening AS (
  SELECT symbol, trading_date, CASE WHEN total_match > 0 AND open > 0 THEN open END AS opened
  FROM market.daily_summary
)
SELECT factor.symbol, factor.trading_date, mart.instrument_kind(factor.symbol, NULL) AS kind, factor.board,
  factor.ref_price, opening.opened AS open, factor.close,
  CAST(opening.opened AS DOUBLE) / CAST(factor.ref_price AS DOUBLE) - 1 AS overnight_return,
  CAST(factor.close AS DOUBLE) / CAST(opening.opened AS DOUBLE) - 1 AS intraday_return,
  (1 + factor.close_return_1) / (1 + intraday_return) - 1 AS close_overnight_return
FROM mart.session_factor factor
JOIN opening ON opening.symbol = factor.symbol AND opening.trading_date = factor.trading_date
WHERE factor.close IS NOT NULL;
COMMENT ON VIEW mart.overnight_return IS
  'One row per symbol and session with a close: its return in two parts, before the opening and from it to '
  'the close, corporate actions taken out.';
COMMENT ON COLUMN mart.overnight_return.board IS
  'Board of that session: HOSE, HNX or UPCOM; null where no limits were reported.';
COMMENT ON COLUMN mart.overnight_return.ref_price IS
  'Reference price, VND (futures: index points), ex-rights; null where none was reported, or where it is not '
  'valid (mart.session_factor).';
COMMENT ON COLUMN mart.overnight_return.open IS
  'First price matched, VND (futures: index points), raw; null where nothing matched.';
COMMENT ON COLUMN mart.overnight_return.close IS 'Last price, VND (futures: index points), raw.';
COMMENT ON COLUMN mart.overnight_return.overnight_return IS
  'open / ref_price - 1, a fraction; null where one of them is.';
COMMENT ON COLUMN mart.overnight_return.intraday_return IS
  'close / open - 1, a fraction; null where nothing matched.';
COMMENT ON COLUMN mart.overnight_return.close_overnight_return IS
  'From the adjusted close of the symbol''s session before to open, a fraction: (1 + close_return_1) / (1 + '
  'intraday_return) - 1 (mart.daily_return); null where one of them is.';
