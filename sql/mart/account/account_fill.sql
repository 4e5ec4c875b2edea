-- grain: one row per account, order and trading date whose complete snapshot reports that more of it has
--   filled than before
-- Order books are reported again in every snapshot: what is new is the filled quantity now less the filled
-- quantity of the same order before, and its price is that of the difference. Each order so counts once, at
-- its latest reported state. An order is of the day on which it was last changed, no later than its snapshot:
-- orders last a day.
CREATE OR REPLACE VIEW mart.account_fill AS
WITH reported_order AS MATERIALIZED (
  SELECT day.account_no, day.trading_date, day.before_of, orders.order_id, orders.symbol, orders.side,
    orders.input_at, orders.modified_at, orders.filled_qty, orders.avg_price
  FROM mart.account_day day
  JOIN account.order_book orders
    ON orders.snapshot_id = day.snapshot_id AND orders.account_no = day.account_no
  WHERE orders.filled_qty IS NOT NULL AND orders.side IN ('B', 'S')
), order_total AS (
  SELECT account_no, order_id, min(trading_date) AS first_day,
    min(filled_qty) <> max(filled_qty) AS has_changed
  FROM reported_order
  GROUP BY account_no, order_id
), counted_order AS (
  -- Most orders are as they were first reported: later reports of them are not compared.
  SELECT reported.*, CAST(reported.filled_qty AS HUGEINT) AS filled,
    mart.multiplier(reported.symbol) AS multiplier,
    CASE
      WHEN reported.filled_qty = 0 THEN 0
      -- points times the multiplier as decimals: as DOUBLE 1305.6 x 100,000 is 130,559,999.99999999
      ELSE CAST(reported.filled_qty AS DOUBLE)
        * CAST(reported.avg_price * coalesce(multiplier, 1) AS DOUBLE)
    END AS amount
  FROM reported_order reported
  JOIN order_total total ON total.account_no = reported.account_no AND total.order_id = reported.order_id
  WHERE total.has_changed OR reported.trading_date = total.first_day AND reported.filled_qty <> 0
), order_change AS (
  SELECT *,
    filled - coalesce(lag(filled) OVER same_order, 0) AS new_quantity,
    -- an unknown amount before leaves the new one unknown
    CASE WHEN row_number() OVER same_order = 1 THEN amount
      ELSE amount - lag(amount) OVER same_order END AS new_amount
  FROM counted_order
  WINDOW same_order AS (PARTITION BY account_no, order_id ORDER BY trading_date)
)
SELECT account_no, order_id, trading_date AS told_on, symbol, side,
  least(trading_date, CAST(mart.exchange_time(greatest(input_at, modified_at)) AS DATE)) AS trading_date,
  greatest(input_at, modified_at) AS changed_at,
  TRY_CAST(new_quantity AS BIGINT) AS quantity,
  new_amount / (CAST(new_quantity AS DOUBLE) * coalesce(multiplier, 1)) AS price,
  CASE WHEN multiplier IS NOT NULL THEN new_amount END AS value, multiplier,
  before_of IS NULL AS is_opening
FROM order_change
WHERE new_quantity <> 0;
COMMENT ON VIEW mart.account_fill IS
  'One row per order and trading date whose snapshot reports more filled: what an account bought and sold, '
  'each order counted once at its latest reported state.';
COMMENT ON COLUMN mart.account_fill.order_id IS 'The service''s identifier of the order.';
COMMENT ON COLUMN mart.account_fill.told_on IS 'Trading date of the first complete snapshot that has it.';
COMMENT ON COLUMN mart.account_fill.side IS 'B buy, S sell.';
COMMENT ON COLUMN mart.account_fill.trading_date IS
  'Day it is counted on, exchange time: when the order was last changed, at most told_on.';
COMMENT ON COLUMN mart.account_fill.changed_at IS
  'When the order was last changed, else entered; null where neither is reported.';
COMMENT ON COLUMN mart.account_fill.quantity IS
  'Filled since it was last reported, shares or contracts; negative where the service takes a fill back.';
COMMENT ON COLUMN mart.account_fill.price IS
  'Average price of that quantity, VND or index points; null where the average is not reported.';
COMMENT ON COLUMN mart.account_fill.value IS 'quantity x price x multiplier, VND, without fees and tax.';
COMMENT ON COLUMN mart.account_fill.is_opening IS
  'Whether the account''s first snapshot reported it: such fills are already in the first position.';
