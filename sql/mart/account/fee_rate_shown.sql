-- grain: one row per equity account and day whose sales show the account's fee rate
-- The service reports no fee rate. The balance shows it on days of sales: sell_t0 is what was sold in the
-- session less fee and tax, so that the rate is 1 - sell_t0 / sold, less the tax of that day (mart.sell_tax).
-- Rates beyond 0 to 0.5 % are something else. Of each day the latest complete snapshot counts.
CREATE OR REPLACE VIEW mart.fee_rate_shown AS
WITH snapshot AS (
  SELECT account_no, as_of, arg_max(snapshot_id, received_at) AS snapshot_id
  FROM account.snapshot
  WHERE state = 'complete' AND account_no <> '*'
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
  SELECT session_sales.account_no, session_sales.as_of, session_sales.snapshot_id,
    TRY_CAST(balance.sell_t0 AS DOUBLE) / nullif(session_sales.sold, 0) AS received_part,
    1 - mart.sell_tax(session_sales.as_of) / 100 AS untaxed_part
  FROM session_sales
  JOIN account.equity_balance balance
    ON balance.snapshot_id = session_sales.snapshot_id AND balance.account_no = session_sales.account_no
)
SELECT account_no, as_of AS trading_date, untaxed_part - received_part AS fee_rate, snapshot_id
FROM received
WHERE received_part BETWEEN untaxed_part - 0.005 AND untaxed_part;
COMMENT ON VIEW mart.fee_rate_shown IS
  'One row per equity account and day of sales whose balance shows what fee rate the account pays.';
COMMENT ON COLUMN mart.fee_rate_shown.trading_date IS 'Session of the sales.';
COMMENT ON COLUMN mart.fee_rate_shown.fee_rate IS
  'Fee over value, a fraction (0.0015 = 0.15 %): 1 less sell_t0 over what was sold, less the tax of that '
  'day.';
