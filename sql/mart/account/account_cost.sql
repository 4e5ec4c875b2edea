-- grain: one row per fill of mart.account_fill (account, order and the day that reports it) and kind of
--   cost (fee, tax); one per account and trading date for interest
-- Order books report no costs. What each row rests on is in basis:
-- stated: the service reports the amount. Interest: the rise of interest_loan since the snapshot before.
-- shown_rate: computed at a rate that the account's own figures show, on shown_on. Fees: mart.fee_rate_shown,
-- the latest up to the order's day, else the first one after it, 365 days away at most. Interest of a day on
-- which interest_loan fell, because it was paid: debt x days x the rate that a rise showed.
-- rulebook: computed at the rate of the rulebook. Tax on sales of shares (mart.sell_tax); tax on contracts,
-- both sides, on half of the margin (rules futures_tax and initial_margin).
-- Where none of them is known, cost is null and missing says why: it is not 0. Amounts are those of the
-- order, so that they differ from the service's by the rounding of each fill. Fees of derivative accounts are
-- not computed: the service reports levels of fee and commission without a meaning.
CREATE OR REPLACE VIEW mart.account_cost AS
WITH fill AS MATERIALIZED (
  SELECT account_no, trading_date, told_on, order_id, symbol, side, quantity, value,
    mart.futures_contract(symbol) IS NOT NULL AS is_contract
  FROM mart.account_fill
), rate AS MATERIALIZED (
  FROM mart.fee_rate_shown
), rated_fill AS (
  SELECT fill.*,
    CASE WHEN fill.trading_date - before.trading_date <= 365 THEN before.trading_date END AS shown_before,
    CASE WHEN after.trading_date - fill.trading_date <= 365 THEN after.trading_date END AS shown_after,
    CASE
      WHEN shown_before IS NOT NULL THEN before.fee_rate
      WHEN shown_after IS NOT NULL THEN after.fee_rate
    END AS fee_rate
  FROM fill
  ASOF LEFT JOIN rate before
    ON before.account_no = fill.account_no AND fill.trading_date >= before.trading_date
  ASOF LEFT JOIN rate after
    ON after.account_no = fill.account_no AND fill.trading_date < after.trading_date
), contract_tax AS (
  SELECT fill.symbol, fill.trading_date,
    max(CASE WHEN rule.rule = 'futures_tax' THEN CAST(rule.value AS DOUBLE) END) / 100
      * max(CASE WHEN rule.rule = 'initial_margin' THEN CAST(rule.value AS DOUBLE) END) / 100 / 2 AS tax_rate
  FROM (SELECT DISTINCT symbol, trading_date FROM fill WHERE is_contract) fill
  JOIN mart.market_rule rule
    ON fill.trading_date BETWEEN rule.valid_from AND rule.valid_to
      AND (rule.rule = 'futures_tax' AND rule.scope = 'DERIVATIVE'
      OR rule.rule = 'initial_margin' AND rule.scope = 'DERIVATIVE/' || mart.futures_underlying(fill.symbol))
  GROUP BY fill.symbol, fill.trading_date
), trade_cost AS (
  SELECT account_no, trading_date, told_on, order_id, symbol, side, quantity, value, 'fee' AS kind,
    CASE WHEN NOT is_contract THEN fee_rate END AS rate,
    CASE WHEN rate IS NOT NULL THEN 'shown_rate' END AS basis,
    CASE WHEN rate IS NOT NULL THEN coalesce(shown_before, shown_after) END AS shown_on,
    CASE
      WHEN is_contract THEN 'fees of contracts are not reported'
      WHEN rate IS NULL THEN 'no sale within a year shows the fee rate'
    END AS missing_rate
  FROM rated_fill
  UNION ALL
  SELECT fill.account_no, fill.trading_date, fill.told_on, fill.order_id, fill.symbol, fill.side,
    fill.quantity, fill.value, 'tax',
    CASE WHEN fill.is_contract THEN contract_tax.tax_rate ELSE mart.sell_tax(fill.trading_date) / 100 END
      AS rate,
    CASE WHEN rate IS NOT NULL THEN 'rulebook' END, NULL,
    CASE WHEN rate IS NULL THEN 'the rulebook has no rate of that day' END
  FROM fill
  LEFT JOIN contract_tax
    ON contract_tax.symbol = fill.symbol AND contract_tax.trading_date = fill.trading_date
  WHERE fill.is_contract OR fill.side = 'S'
), debt AS (
  SELECT day.account_no, day.trading_date, day.before_of, day.trading_date - day.before_of AS nights,
    CAST(balance.total_debt AS DOUBLE) - coalesce(CAST(balance.interest_loan AS DOUBLE), 0)
      - coalesce(CAST(balance.overdue_fee_loan AS DOUBLE), 0) AS loan,
    CAST(balance.interest_loan AS DOUBLE) AS interest,
    lag(loan) OVER days AS loan_before, lag(interest) OVER days AS interest_before
  FROM mart.account_day day
  JOIN account.equity_balance balance
    ON balance.snapshot_id = day.snapshot_id AND balance.account_no = day.account_no
  WINDOW days AS (PARTITION BY day.account_no ORDER BY day.trading_date)
), accrual AS MATERIALIZED (
  SELECT *, interest - interest_before AS rise,
    CASE WHEN loan = loan_before AND loan > 0 AND rise > 0
      THEN rise / (loan * nights / 365) END AS loan_rate
  FROM debt
  WHERE before_of IS NOT NULL AND (loan > 0 OR loan_before > 0 OR interest <> interest_before)
), accrual_rate AS MATERIALIZED (
  SELECT account_no, trading_date, loan_rate FROM accrual WHERE loan_rate BETWEEN 0 AND 0.2
), rated_accrual AS (
  SELECT accrual.account_no, accrual.trading_date, accrual.nights, accrual.loan_before, accrual.rise,
    CASE
      WHEN accrual.trading_date - before.trading_date <= 365 THEN before.trading_date
      WHEN after.trading_date - accrual.trading_date <= 365 THEN after.trading_date
    END AS shown_on,
    CASE WHEN shown_on = before.trading_date THEN before.loan_rate ELSE after.loan_rate END AS shown_rate
  FROM accrual
  ASOF LEFT JOIN accrual_rate before
    ON before.account_no = accrual.account_no AND accrual.trading_date >= before.trading_date
  ASOF LEFT JOIN accrual_rate after
    ON after.account_no = accrual.account_no AND accrual.trading_date < after.trading_date
)
SELECT account_no, trading_date, told_on AS reported_on,
  CAST(date_trunc('month', trading_date) AS DATE) AS month, kind, order_id,
  symbol, side, quantity, value, rate, value * rate AS cost,
  CASE WHEN value IS NOT NULL THEN basis END AS basis,
  CASE WHEN value IS NOT NULL THEN shown_on END AS shown_on,
  coalesce(missing_rate, CASE WHEN value IS NULL THEN 'the average price is not reported' END) AS missing
FROM trade_cost
UNION ALL
SELECT account_no, trading_date, trading_date, CAST(date_trunc('month', trading_date) AS DATE), 'interest',
  NULL, NULL, NULL, NULL, loan_before,
  CASE WHEN rise < 0 THEN shown_rate END,
  CASE WHEN rise < 0 THEN loan_before * shown_rate * nights / 365 ELSE rise END,
  CASE WHEN rise >= 0 THEN 'stated' WHEN rise < 0 AND shown_on IS NOT NULL THEN 'shown_rate' END,
  CASE WHEN rise < 0 THEN shown_on END,
  CASE
    WHEN rise IS NULL THEN 'interest_loan is not reported'
    WHEN rise < 0 AND shown_on IS NULL THEN 'interest was paid, and no day shows its rate'
  END
FROM rated_accrual;
COMMENT ON VIEW mart.account_cost IS
  'One row per account, order, trading date and kind of cost: fees, tax and interest, and whether the '
  'service states them or they are computed from a rate. Sum cost by month for costs by month.';
COMMENT ON COLUMN mart.account_cost.trading_date IS
  'Day of the trade (mart.account_fill.trading_date); interest: trading date of the snapshot up to which it '
  'accrued, from the complete one before.';
COMMENT ON COLUMN mart.account_cost.reported_on IS
  'Trading date of the snapshot that first reports it.';
COMMENT ON COLUMN mart.account_cost.month IS 'First day of the month of trading_date.';
COMMENT ON COLUMN mart.account_cost.kind IS 'fee, tax or interest.';
COMMENT ON COLUMN mart.account_cost.order_id IS 'Order that cost it; null for interest.';
COMMENT ON COLUMN mart.account_cost.symbol IS 'Symbol of the order; null for interest.';
COMMENT ON COLUMN mart.account_cost.side IS 'B buy, S sell; null for interest.';
COMMENT ON COLUMN mart.account_cost.quantity IS
  'Filled since it was last reported, shares or contracts; negative where a fill is withdrawn. Null for '
  'interest.';
COMMENT ON COLUMN mart.account_cost.value IS
  'What the cost is of, VND: the value of the fills; interest: the debt at the snapshot before.';
COMMENT ON COLUMN mart.account_cost.rate IS
  'Rate it is computed at, a fraction of value (0.0015 = 0.15 %); interest: of a year. Null where it is '
  'stated or not known.';
COMMENT ON COLUMN mart.account_cost.cost IS
  'Cost, VND, positive; null where neither an amount nor a rate is known (missing), which does not mean 0.';
COMMENT ON COLUMN mart.account_cost.basis IS
  'stated (the service reports the amount), shown_rate (at a rate that the account''s own figures show on '
  'shown_on), rulebook (at the rate of the rulebook); null where cost is.';
COMMENT ON COLUMN mart.account_cost.shown_on IS 'Day whose figures show the rate; null for other bases.';
COMMENT ON COLUMN mart.account_cost.missing IS 'Why cost is null; null where it is not.';
