-- grain: one row per symbol and trading_date with a close
-- return_1 is close / ref_price - 1: the exchange's own reference is already ex-rights. On a day whose
-- references are at fault (mart.reference_glitch), and where none was reported, it is taken from adjusted
-- closes instead. On UPCOM the reference is the average of the session before, so that returns against it do
-- not compound to those from close to close; all returns over several sessions are from adjusted closes.
-- Sessions are those that the symbol has a close of: a session that is missing, or that it did not trade in,
-- is passed over, so n sessions may be longer in days.
-- Windows come from mart.session_factor: one reaches back 395 days, what is older counts nowhere.
CREATE OR REPLACE VIEW mart.daily_return AS
SELECT symbol, trading_date, mart.instrument_kind(symbol, NULL) AS kind, close, ref_price, return_1,
  ln(nullif(1 + return_1, 0)) AS log_return_1,
  close_return_1, return_5, return_20, return_60, return_120, return_250
FROM mart.session_factor
WHERE close IS NOT NULL;
COMMENT ON VIEW mart.daily_return IS
  'One row per symbol and session with a close: returns, as fractions (0.01 = 1 %), corporate actions taken '
  'out, but for those that are not known (mart.chain_gap).';
COMMENT ON COLUMN mart.daily_return.ref_price IS
  'Reference price; null where none was reported, or where the references of that day are at fault '
  '(mart.reference_glitch).';
COMMENT ON COLUMN mart.daily_return.return_1 IS
  'close / ref_price - 1; without a valid reference, close_return_1.';
COMMENT ON COLUMN mart.daily_return.log_return_1 IS
  'ln(1 + return_1); null where nothing is left of the price to fifteen digits, as after a misplaced unit.';
COMMENT ON COLUMN mart.daily_return.close_return_1 IS
  'From the adjusted close of the symbol''s session before: differs from return_1 on UPCOM, whose reference '
  'is an average; null on its first session, and after 395 days without one.';
COMMENT ON COLUMN mart.daily_return.return_5 IS
  'From adjusted closes, 5 of the symbol''s sessions; null where 395 days have fewer.';
COMMENT ON COLUMN mart.daily_return.return_20 IS 'The same, 20 sessions.';
COMMENT ON COLUMN mart.daily_return.return_60 IS 'The same, 60 sessions.';
COMMENT ON COLUMN mart.daily_return.return_120 IS 'The same, 120 sessions.';
COMMENT ON COLUMN mart.daily_return.return_250 IS
  'The same, 250 sessions: needs 251 of them. A backfill without --from asks for that many; null where the '
  'service refuses daily data of before a year, until 251 are stored.';
