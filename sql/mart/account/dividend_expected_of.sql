-- grain: one row per equity account, symbol and ex-date of a cash dividend for which the account held shares
-- mart.dividend_expected of changes that are given by name: rows of mart.position_change. Who needs them too
-- then has them planned and computed once.
CREATE OR REPLACE MACRO mart.dividend_expected_of(changes) AS TABLE
WITH complete_day AS MATERIALIZED (
  SELECT account_no, trading_date, snapshot_id
  FROM mart.account_day
  WHERE snapshot_id IS NOT NULL AND account_type <> 'DERIVATIVE'
), held_position AS MATERIALIZED (
  FROM mart.account_position WHERE mart.futures_contract(symbol) IS NULL
), fill AS MATERIALIZED (
  SELECT account_no, symbol, trading_date,
    CASE side WHEN 'B' THEN 1 ELSE -1 END * CAST(quantity AS DOUBLE) AS quantity
  FROM mart.account_fill
  WHERE quantity IS NOT NULL
), balance AS MATERIALIZED (
  SELECT day.account_no, day.trading_date, CAST(balance.dividend AS DOUBLE) AS to_come,
    lag(to_come) OVER (PARTITION BY day.account_no ORDER BY day.trading_date) AS to_come_before
  FROM complete_day day
  JOIN account.equity_balance balance
    ON balance.snapshot_id = day.snapshot_id AND balance.account_no = day.account_no
), cash_dividend AS (
  SELECT symbol, ex_date, CAST(amount AS DOUBLE) AS amount, true AS is_declared, request_id
  FROM market.corporate_action
  WHERE kind = 'cash_dividend' AND NOT is_withdrawn AND amount > 0
  UNION ALL
  SELECT symbol, ex_date, CAST(previous_basis - ref_price AS DOUBLE), false, NULL
  FROM mart.adjustment_event
  WHERE state = 'observed' AND ref_price < previous_basis AND basis_kind <> 'settlement'
), account_symbol AS (
  SELECT account_no, symbol FROM held_position
  UNION
  SELECT account_no, symbol FROM fill
), possible_dividend AS (
  SELECT account_symbol.account_no, cash_dividend.*
  FROM cash_dividend
  JOIN account_symbol ON account_symbol.symbol = cash_dividend.symbol
), day_before AS (
  SELECT dividend.*, day.trading_date AS entitled_on
  FROM possible_dividend dividend
  ASOF JOIN complete_day day
    ON day.account_no = dividend.account_no AND dividend.ex_date > day.trading_date
), entitled_share AS (
  SELECT dividend.account_no, dividend.symbol, dividend.ex_date, dividend.amount, dividend.is_declared,
    dividend.request_id, dividend.entitled_on, any_value(position.quantity) AS held,
    coalesce(sum(fill.quantity), 0) AS traded,
    CAST(coalesce(held, 0) + traded AS BIGINT) AS shares_entitled
  FROM day_before dividend
  LEFT JOIN held_position position
    ON position.account_no = dividend.account_no AND position.symbol = dividend.symbol
      AND position.trading_date = dividend.entitled_on
  LEFT JOIN fill ON fill.account_no = dividend.account_no AND fill.symbol = dividend.symbol
    AND fill.trading_date > dividend.entitled_on AND fill.trading_date < dividend.ex_date
  GROUP BY dividend.account_no, dividend.symbol, dividend.ex_date, dividend.amount, dividend.is_declared,
    dividend.request_id, dividend.entitled_on
), first_day AS (
  SELECT dividend.*, day.trading_date AS first_shown_on
  FROM (FROM entitled_share WHERE shares_entitled > 0) dividend
  ASOF LEFT JOIN complete_day day
    ON day.account_no = dividend.account_no AND dividend.ex_date <= day.trading_date
), cash_only AS (
  SELECT dividend.*, balance.to_come - balance.to_come_before AS rise
  FROM first_day dividend
  LEFT JOIN query_table(changes) change
    ON change.account_no = dividend.account_no AND change.symbol = dividend.symbol
      AND change.trading_date = dividend.first_shown_on
  LEFT JOIN balance ON balance.account_no = dividend.account_no
    AND balance.trading_date = dividend.first_shown_on
  WHERE dividend.is_declared OR coalesce(change.announced, 0) = 0
    AND coalesce(change.unexplained_quantity, 0) <= 0
), explained_rise AS (
  SELECT *, count_if(NOT is_declared) OVER same_day AS undeclared,
    rise - coalesce(sum(CASE WHEN is_declared THEN shares_entitled * amount END) OVER same_day, 0) AS rest
  FROM cash_only
  WINDOW same_day AS (PARTITION BY account_no, first_shown_on)
), valued_dividend AS (
  SELECT *,
    CASE WHEN is_declared THEN 'declared' WHEN undeclared = 1 AND rest > 10 THEN 'balance'
      ELSE 'reference price' END AS source,
    CASE WHEN source = 'balance' THEN rest ELSE shares_entitled * amount END AS gross,
    gross * (1 - mart.dividend_tax(ex_date) / 100) AS net
  FROM explained_rise
), fall AS (
  SELECT dividend.account_no, dividend.symbol, dividend.ex_date, balance.trading_date,
    balance.to_come_before - balance.to_come AS fallen,
    abs(fallen - dividend.gross) <= 10 + 0.01 * dividend.gross
      OR abs(fallen - dividend.net) <= 10 + 0.01 * dividend.net AS is_exact,
    fallen >= 0.99 * dividend.net - 10 AND balance.to_come < 0.99 * dividend.net - 10 AS is_within
  FROM valued_dividend dividend
  JOIN balance ON balance.account_no = dividend.account_no
    AND balance.trading_date > dividend.first_shown_on
  WHERE balance.to_come < balance.to_come_before
), explained_fall AS (
  SELECT *, bool_or(is_exact) OVER (PARTITION BY account_no, trading_date) AS has_exact FROM fall
), payment AS (
  SELECT account_no, symbol, ex_date, min(trading_date) AS pay_date
  FROM explained_fall
  WHERE is_exact OR is_within AND NOT has_exact
  GROUP BY account_no, symbol, ex_date
), latest_day AS (
  SELECT account_no, max(trading_date) AS as_of FROM complete_day GROUP BY account_no
)
SELECT dividend.account_no, dividend.symbol, dividend.ex_date, payment.pay_date, dividend.entitled_on,
  dividend.shares_entitled, dividend.gross / dividend.shares_entitled AS gross_per_share, dividend.gross,
  dividend.gross * mart.dividend_tax(coalesce(payment.pay_date, dividend.ex_date)) / 100 AS tax,
  dividend.gross * (1 - mart.dividend_tax(coalesce(payment.pay_date, dividend.ex_date)) / 100) AS net,
  CASE
    WHEN payment.pay_date IS NOT NULL THEN 'paid'
    WHEN latest_day.as_of > dividend.ex_date + INTERVAL 6 MONTH THEN 'overdue'
    ELSE 'expected'
  END AS state,
  dividend.source, dividend.request_id
FROM valued_dividend dividend
JOIN latest_day ON latest_day.account_no = dividend.account_no
LEFT JOIN payment ON payment.account_no = dividend.account_no AND payment.symbol = dividend.symbol
  AND payment.ex_date = dividend.ex_date;
COMMENT ON MACRO TABLE mart.dividend_expected_of IS
  'mart.dividend_expected of changes that are given by name: rows of mart.position_change.';
