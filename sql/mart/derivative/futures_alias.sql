-- grain: one row per futures code ever seen: in a security list, a daily summary or the price limits
-- A contract has had two codes since the exchange changed them: what is asked of it is asked by contract.
-- last_trading_date: as a security list last stated it of this code, else of the contract's other code, where
-- it lies in the month of the contract (one wrong date would keep all later contracts from being the front
-- one). Where no list has named it, the day that the rulebook has (third Thursday of the month; of bonds the
-- 15th), or the last session before where that is closed (mart.closed_day; years that it does not name count
-- as open on every weekday).
CREATE OR REPLACE VIEW mart.futures_alias AS
WITH futures_symbol AS (
  SELECT symbol FROM market.security WHERE mart.futures_contract(symbol) IS NOT NULL
  UNION
  SELECT symbol FROM market.daily_summary WHERE mart.futures_contract(symbol) IS NOT NULL
  UNION
  SELECT symbol FROM market.price_limit WHERE mart.futures_contract(symbol) IS NOT NULL
), code AS (
  SELECT symbol, contract, mart.futures_underlying(symbol) AS underlying,
    make_date(2000 + CAST(left(right(contract, 4), 2) AS INTEGER), CAST(right(contract, 2) AS INTEGER),
      1) AS expiry_month,
    CASE WHEN upper(symbol) = contract THEN 'legacy' ELSE 'present' END AS code_scheme
  FROM (SELECT symbol, mart.futures_contract(symbol) AS contract FROM futures_symbol)
  WHERE contract IS NOT NULL
), listed_date AS (
  SELECT symbol, last_trading_date, DATE '9999-12-31' AS valid_from FROM market.security
  UNION ALL
  SELECT symbol, last_trading_date, valid_from FROM market.security_history
), listed_last_date AS (
  SELECT listed_date.symbol,
    arg_max(listed_date.last_trading_date, listed_date.valid_from) AS last_trading_date
  FROM listed_date JOIN code ON code.symbol = listed_date.symbol
  WHERE listed_date.last_trading_date >= code.expiry_month
    AND listed_date.last_trading_date <= last_day(code.expiry_month)
  GROUP BY listed_date.symbol
), rule_day AS (
  SELECT DISTINCT underlying, expiry_month, mart.expiry_day(underlying, expiry_month) AS day FROM code
), rule_last_date AS (
  SELECT underlying, expiry_month, max(candidate) AS day
  FROM (
    SELECT underlying, expiry_month, day - CAST(unnest(range(15)) AS INTEGER) AS candidate FROM rule_day
  )
  ANTI JOIN mart.closed_day closed ON closed.day = candidate
  WHERE dayofweek(candidate) BETWEEN 1 AND 5
  GROUP BY ALL
)
SELECT code.symbol, code.contract, code.underlying, code.code_scheme, code.expiry_month,
  coalesce(listed_last_date.last_trading_date,
    max(listed_last_date.last_trading_date) OVER (PARTITION BY code.contract),
    rule_last_date.day) AS last_trading_date,
  max(listed_last_date.last_trading_date) OVER (PARTITION BY code.contract)
    IS NOT NULL AS is_last_trading_date_told
FROM code
LEFT JOIN listed_last_date ON listed_last_date.symbol = code.symbol
LEFT JOIN rule_last_date
  ON rule_last_date.underlying = code.underlying AND rule_last_date.expiry_month = code.expiry_month;
COMMENT ON VIEW mart.futures_alias IS
  'One row per futures code ever seen: the contract that it names. The old and the new code of a contract '
  'are two rows with one contract.';
COMMENT ON COLUMN mart.futures_alias.symbol IS 'Code, as the exchange writes it.';
COMMENT ON COLUMN mart.futures_alias.underlying IS
  'Index or government bond that it is settled by: VN30, VN100, GB05, GB10; as the code writes it for '
  'others.';
COMMENT ON COLUMN mart.futures_alias.code_scheme IS 'legacy (VN30F2504) or present (41I1F4000).';
COMMENT ON COLUMN mart.futures_alias.expiry_month IS 'First day of the month in which the contract ends.';
COMMENT ON COLUMN mart.futures_alias.last_trading_date IS
  'Last session of the contract: as a security list stated, else its third Thursday or the session before '
  'where that is closed.';
COMMENT ON COLUMN mart.futures_alias.is_last_trading_date_told IS
  'Whether a security list has named last_trading_date; false where it is computed.';
