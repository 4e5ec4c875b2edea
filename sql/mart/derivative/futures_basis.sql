-- grain: one row per futures code and trading_date that has a daily summary
-- Index and future end together, with the closing auctions of 14:45. A session without a trade has a
-- settlement price all the same, so that there are two bases. By the year they are simple interest over
-- calendar days (365 a year): the cost of carry that the basis implies, dividends of the index included. On
-- the last session there are no days left, and so no basis by the year.
CREATE OR REPLACE VIEW mart.futures_basis AS
WITH contract_session AS (
  SELECT summary.symbol, summary.trading_date, alias.contract, alias.underlying, alias.last_trading_date,
    CASE WHEN summary.close > 0 THEN summary.close END AS close,
    CASE WHEN summary.settlement_price > 0 THEN summary.settlement_price END AS settlement_price
  FROM market.daily_summary summary JOIN mart.futures_alias alias ON alias.symbol = summary.symbol
), index_level AS (
  -- one spelling where a deployment has changed it
  SELECT plain, trading_date, arg_min(index_value, index_code) AS index_value
  FROM (SELECT index_code, regexp_replace(mart.plain_index_code(index_code), '(.)INDEX$', '\1') AS plain,
    trading_date, index_value
        FROM market.index_summary)
  WHERE index_value > 0
  GROUP BY plain, trading_date
), closed_days AS (
  SELECT span.trading_date, span.last_trading_date, count(*) AS days
  FROM (SELECT DISTINCT trading_date, last_trading_date FROM contract_session) span
  JOIN mart.closed_day closed_day
    ON closed_day.day > span.trading_date AND closed_day.day <= span.last_trading_date
  WHERE dayofweek(closed_day.day) BETWEEN 1 AND 5
  GROUP BY ALL
)
SELECT contract_session.symbol, contract_session.trading_date, contract_session.contract,
  contract_session.underlying,
  contract_session.close, contract_session.settlement_price, index_level.index_value,
  -- exact, and wide enough for any two prices
  CAST(CAST(contract_session.close AS DECIMAL(24,6)) - index_level.index_value AS DOUBLE) AS basis,
  CAST(contract_session.close AS DOUBLE) / CAST(index_level.index_value AS DOUBLE) - 1 AS basis_fraction,
  CAST(CAST(contract_session.settlement_price AS DECIMAL(24,6))
    - index_level.index_value AS DOUBLE) AS settlement_basis,
  CAST(contract_session.settlement_price AS DOUBLE) / CAST(index_level.index_value AS DOUBLE)
    - 1 AS settlement_basis_fraction,
  contract_session.last_trading_date,
  contract_session.last_trading_date - contract_session.trading_date AS days_to_last_trading_date,
  CASE WHEN days_to_last_trading_date > 0
    THEN basis_fraction * 365 / days_to_last_trading_date END AS basis_annualised,
  CASE WHEN days_to_last_trading_date > 0
    THEN settlement_basis_fraction * 365 / days_to_last_trading_date END AS settlement_basis_annualised,
  CASE WHEN contract_session.trading_date <= contract_session.last_trading_date
    AND session_year.year IS NOT NULL AND last_year.year IS NOT NULL THEN
    -- weekdays since a Monday up to the one day, less those up to the other, less those closed
    (contract_session.last_trading_date - DATE '1970-01-05') // 7 * 5
      + least((contract_session.last_trading_date - DATE '1970-01-05') % 7, 4)
    - (contract_session.trading_date - DATE '1970-01-05') // 7 * 5
      - least((contract_session.trading_date - DATE '1970-01-05') % 7, 4)
    - coalesce(closed_days.days, 0)
  END AS sessions_to_last_trading_date
FROM contract_session
LEFT JOIN index_level
  ON index_level.plain = contract_session.underlying
    AND index_level.trading_date = contract_session.trading_date
LEFT JOIN mart.announced_year session_year ON session_year.year = year(contract_session.trading_date)
LEFT JOIN mart.announced_year last_year ON last_year.year = year(contract_session.last_trading_date)
LEFT JOIN closed_days
  ON closed_days.trading_date = contract_session.trading_date
    AND closed_days.last_trading_date = contract_session.last_trading_date;
COMMENT ON VIEW mart.futures_basis IS
  'One row per futures code and session: its distance from its index, and from its end.';
COMMENT ON COLUMN mart.futures_basis.symbol IS
  'Code. A contract that was quoted under two codes has rows of both.';
COMMENT ON COLUMN mart.futures_basis.close IS 'Last price matched, index points, raw; null where none was.';
COMMENT ON COLUMN mart.futures_basis.settlement_price IS
  'Settlement price of the session, index points; null where none was reported.';
COMMENT ON COLUMN mart.futures_basis.index_value IS
  'The index at the close, points; null where none is stored, and of bonds.';
COMMENT ON COLUMN mart.futures_basis.basis IS
  'close - index_value, index points: positive = the future is dearer. Null where either is.';
COMMENT ON COLUMN mart.futures_basis.basis_fraction IS
  'close / index_value - 1: not by the year (basis_annualised is).';
COMMENT ON COLUMN mart.futures_basis.settlement_basis IS 'settlement_price - index_value, index points.';
COMMENT ON COLUMN mart.futures_basis.settlement_basis_fraction IS 'settlement_price / index_value - 1.';
COMMENT ON COLUMN mart.futures_basis.basis_annualised IS
  'basis_fraction x 365 / days_to_last_trading_date: a fraction a year; null on the last session and after '
  'it.';
COMMENT ON COLUMN mart.futures_basis.settlement_basis_annualised IS
  'settlement_basis_fraction x 365 / days_to_last_trading_date; null as basis_annualised.';
COMMENT ON COLUMN mart.futures_basis.sessions_to_last_trading_date IS
  'Sessions after this one up to the last one, by weekdays and mart.closed_day; null where the calendar '
  'does not name either year, and after the end.';
