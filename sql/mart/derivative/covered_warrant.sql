-- grain: one row per covered warrant and trading_date that has a daily summary
-- A symbol is a warrant by the form of its code, or because a security list names its underlying. Terms
-- (underlying, exercise price, ratio) are those that the lists stated by that session: issuers change them on
-- ex-dates of the underlying. Before the first list stored, the earliest that is known: terms_valid_from is
-- then after trading_date, and a change in between is not known. Warrants that no list has named (they ended
-- before the lists were first read, or the list lacks them) have null terms, and null in all that is computed
-- from them: leaving their sessions out made 804 of 1,168 disappear. Prices are raw: terms are of the share
-- as it was that day. All warrants of this market are calls, settled in cash at their end by the mean of the
-- underlying's last five closes.
CREATE OR REPLACE VIEW mart.covered_warrant AS
WITH list_terms AS (
  SELECT symbol, valid_from, nullif(cw_underlying_symbol, '') AS underlying,
    CASE WHEN cw_exercise_price > 0 THEN cw_exercise_price END AS exercise_price,
    mart.exercise_ratio(cw_execution_ratio) AS exercise_ratio, last_trading_date, maturity_date,
    CASE WHEN row_number() OVER validity > 1 THEN valid_from ELSE DATE '0001-01-01' END AS holds_from,
    coalesce(lead(valid_from) OVER validity, DATE '9999-12-31') AS holds_until
  FROM market.security_history
  WINDOW validity AS (PARTITION BY symbol ORDER BY valid_from)
), warrant_terms AS (
  FROM list_terms WHERE underlying IS NOT NULL
), warrant_session AS (
  SELECT summary.symbol, summary.trading_date, warrant_terms.underlying, warrant_terms.exercise_price,
    warrant_terms.exercise_ratio,
    warrant_terms.last_trading_date, warrant_terms.maturity_date,
    warrant_terms.valid_from AS terms_valid_from,
    CASE WHEN summary.close > 0 THEN summary.close END AS close, summary.total_match,
    CASE WHEN share.close > 0 THEN share.close END AS underlying_close
  FROM market.daily_summary summary
  LEFT JOIN warrant_terms ON warrant_terms.symbol = summary.symbol
    AND summary.trading_date >= warrant_terms.holds_from AND summary.trading_date < warrant_terms.holds_until
  LEFT JOIN market.daily_summary share
    ON share.symbol = warrant_terms.underlying AND share.trading_date = summary.trading_date
  WHERE mart.instrument_kind(summary.symbol, NULL) = 'covered_warrant'
    OR summary.symbol IN (SELECT symbol FROM list_terms WHERE underlying IS NOT NULL)
)
SELECT symbol, trading_date, underlying, close, total_match, underlying_close, exercise_price, exercise_ratio,
  terms_valid_from,
  exercise_price + exercise_ratio * close AS break_even,
  break_even / underlying_close - 1 AS premium,
  -- greatest() would take 0 for what is not known
  CASE
    WHEN underlying_close <= exercise_price THEN 0
    WHEN underlying_close > exercise_price
      THEN CAST(underlying_close AS DOUBLE) - CAST(exercise_price AS DOUBLE)
  END
    / exercise_ratio AS intrinsic_value,
  close - intrinsic_value AS time_value,
  CAST(underlying_close AS DOUBLE) / CAST(exercise_price AS DOUBLE) AS moneyness,
  CAST(underlying_close AS DOUBLE) / (exercise_ratio * close) AS gearing,
  last_trading_date, maturity_date,
  last_trading_date - trading_date AS days_to_last_trading_date,
  maturity_date - trading_date AS days_to_maturity
FROM warrant_session;
COMMENT ON VIEW mart.covered_warrant IS
  'One row per covered warrant and session: its price against its underlying, by the terms of that session. '
  'Raw prices.';
COMMENT ON COLUMN mart.covered_warrant.symbol IS 'Warrant.';
COMMENT ON COLUMN mart.covered_warrant.underlying IS
  'Stock that it is a right to, by the terms of the session; null where no list states them.';
COMMENT ON COLUMN mart.covered_warrant.close IS 'Last price of the warrant, VND, raw; null where none was.';
COMMENT ON COLUMN mart.covered_warrant.total_match IS 'Matched volume, warrants.';
COMMENT ON COLUMN mart.covered_warrant.underlying_close IS
  'Last price of the underlying on that session, VND, raw; null where it has none (halted, missing).';
COMMENT ON COLUMN mart.covered_warrant.exercise_price IS
  'Exercise price by the terms of the session, VND per share; null where the list does not state it.';
COMMENT ON COLUMN mart.covered_warrant.exercise_ratio IS
  'Warrants for one share: k of k:1 (mart.exercise_ratio); null where the text cannot be read.';
COMMENT ON COLUMN mart.covered_warrant.terms_valid_from IS
  'Trading date of the list that first stated these terms. After trading_date: the earliest terms known, '
  'that session''s own may have been others. Null where no list has stated any.';
COMMENT ON COLUMN mart.covered_warrant.break_even IS
  'exercise_price + exercise_ratio x close, VND per share: where the underlying must end for the buyer at '
  'this close to lose nothing, costs aside.';
COMMENT ON COLUMN mart.covered_warrant.premium IS
  'break_even / underlying_close - 1: how far the underlying must rise to get there.';
COMMENT ON COLUMN mart.covered_warrant.intrinsic_value IS
  'What exercise would pay at underlying_close, VND a warrant: (underlying_close - exercise_price) / '
  'exercise_ratio, at least 0.';
COMMENT ON COLUMN mart.covered_warrant.time_value IS
  'close - intrinsic_value, VND a warrant; may be negative.';
COMMENT ON COLUMN mart.covered_warrant.moneyness IS
  'underlying_close / exercise_price: above 1 = in the money.';
COMMENT ON COLUMN mart.covered_warrant.gearing IS
  'underlying_close / (exercise_ratio x close): share value held for the price of a warrant. Not times '
  'delta.';
COMMENT ON COLUMN mart.covered_warrant.last_trading_date IS
  'Last session of the warrant, as the list stated; null where no list has.';
COMMENT ON COLUMN mart.covered_warrant.maturity_date IS
  'Maturity, as the list stated; null where no list has.';
COMMENT ON COLUMN mart.covered_warrant.days_to_maturity IS 'Calendar days to maturity.';
