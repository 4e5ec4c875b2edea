-- grain: one row per equity account whose own sales have shown its fee rate in the year up to a trading date
-- The service reports no fee rate. The balance shows it on days of sales: sell_t0 is what was sold in the
-- session less fee and tax, so that the rate is 1 - sell_t0 / sold, less the tax of that day (mart.sell_tax).
-- Rates beyond 0 to 0.5 % are something else. A rate holds until the next day of sales shows another: without
-- it, half of the account days had an unexplained residual of just the fee (0.15 % of what was bought).
-- Complete snapshots of the trading date and the 365 days before it count, of each day the latest one.
CREATE OR REPLACE MACRO mart.fee_rate(as_of_day) AS TABLE
WITH snapshot AS (
  SELECT account_no, as_of, arg_max(snapshot_id, received_at) AS snapshot_id
  FROM account.snapshot
  WHERE state = 'complete' AND account_no <> '*'
    AND as_of BETWEEN CAST(as_of_day AS DATE) - 365 AND CAST(as_of_day AS DATE)
  GROUP BY account_no, as_of
), session_sales AS (
  SELECT snapshot.account_no, snapshot.as_of, snapshot.snapshot_id,
    sum(TRY_CAST(book.filled_qty AS DOUBLE) * TRY_CAST(book.avg_price AS DOUBLE)) AS sold
  FROM snapshot
  JOIN account.order_book book
    ON book.snapshot_id = snapshot.snapshot_id AND book.account_no = snapshot.account_no
  WHERE book.side = 'S' AND book.filled_qty > 0
    AND CAST(mart.exchange_time(book.input_at) AS DATE) = snapshot.as_of
  GROUP BY ALL
), received AS (
  SELECT session_sales.account_no, session_sales.as_of,
    TRY_CAST(balance.sell_t0 AS DOUBLE) / nullif(session_sales.sold, 0) AS received_part,
    1 - mart.sell_tax(session_sales.as_of) / 100 AS untaxed_part
  FROM session_sales
  JOIN account.equity_balance balance
    ON balance.snapshot_id = session_sales.snapshot_id AND balance.account_no = session_sales.account_no
)
SELECT account_no, max(as_of) AS shown_on,
  arg_max(untaxed_part - received_part, as_of) AS fee_rate
FROM received
WHERE received_part BETWEEN untaxed_part - 0.005 AND untaxed_part
GROUP BY account_no;
COMMENT ON MACRO TABLE mart.fee_rate IS
  'Fee rate of each equity account, a fraction of value, as its latest sales up to a trading date showed it '
  '(shown_on), 365 days back at most.';
