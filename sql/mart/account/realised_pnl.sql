-- grain: one row per account, symbol and trading date on which something filled, expired, new shares were
--   announced, or the position was set anew
-- Moving average cost, per account and symbol, in the order of fills: a fill that opens averages into the
-- cost, one that closes leaves the average as it is and realises closed quantity x (price - average), for
-- short contracts the reverse; one that turns a position closes it whole and opens the rest at its price. It
-- begins with the position of the account's first complete snapshot at its average price (cost_price;
-- contracts: the open side's average); fills that this snapshot already reports are in it. Contracts that end
-- are closed at their final settlement price; what a covered warrant pays at its end is not reported, so that
-- its profit is not known. Fees and tax are not in it: order books do not report them (a
-- broker's cost_price may carry fees).
-- New shares of a dividend or a split count from their ex-date on, as bought for nothing: the price has
-- fallen by then, and what is sold before they arrive is compared with what all shares together cost.
-- Where the snapshot reports another quantity than fills and dividends explain (shares that a broker adds at
-- once, a transfer, orders not reported), and where shares arrive that were to come in the first snapshot
-- already, the position is set to the reported quantity and average price, nothing is realised by that, and
-- the row shows is_rebased. Whether a cost price counts shares to come is not specified: where some are to
-- come it is not taken.
CREATE OR REPLACE VIEW mart.realised_pnl AS
WITH held_position AS MATERIALIZED (
  FROM mart.account_position
), known_change AS MATERIALIZED (
  SELECT *, sum(from_dividends) OVER so_far > sum(announced) OVER so_far AS is_of_opening
  FROM mart.position_change
  WINDOW so_far AS (PARTITION BY account_no, symbol ORDER BY trading_date)
), announced_share AS (
  -- Without an ex-date in between, the day is that of the snapshot.
  SELECT change.account_no, change.symbol, change.trading_date AS told_on,
    coalesce(max(event.ex_date), change.trading_date) AS trading_date,
    any_value(CAST(change.announced AS DOUBLE)) AS quantity
  FROM known_change change
  LEFT JOIN mart.adjustment_event event
    ON event.symbol = change.symbol AND event.ex_date > change.before_of
      AND event.ex_date <= change.trading_date AND event.basis_kind IS DISTINCT FROM 'settlement'
  WHERE change.announced > 0
  GROUP BY change.account_no, change.symbol, change.trading_date
), reported_position AS (
  SELECT account_no, symbol, trading_date, multiplier,
    CAST(quantity AS DOUBLE) + coalesce(dividend_quantity, 0) AS quantity,
    CASE WHEN coalesce(dividend_quantity, 0) = 0 THEN CAST(average_price AS DOUBLE) END AS price
  FROM held_position
), event AS (
  SELECT position.account_no, position.symbol, position.trading_date, position.trading_date AS told_on,
    0 AS kind, NULL::TIMESTAMPTZ AS changed_at, NULL::VARCHAR AS order_id, position.quantity, position.price,
    position.multiplier
  FROM reported_position position
  JOIN mart.account_day day
    ON day.account_no = position.account_no AND day.trading_date = position.trading_date
      AND day.before_of IS NULL
  UNION ALL
  SELECT account_no, symbol, trading_date, told_on, 1, changed_at, order_id,
    CASE side WHEN 'B' THEN 1 ELSE -1 END * CAST(quantity AS DOUBLE), price, multiplier
  FROM mart.account_fill
  WHERE NOT is_opening AND quantity IS NOT NULL
  UNION ALL
  SELECT account_no, symbol, trading_date, told_on, 4, NULL, NULL, quantity, 0, 1
  FROM announced_share
  UNION ALL
  SELECT account_no, symbol, trading_date, trading_date, 2, NULL, NULL, -CAST(expired AS DOUBLE), expired_at,
    mart.multiplier(symbol)
  FROM known_change change
  WHERE expired <> 0
  UNION ALL
  SELECT change.account_no, change.symbol, change.trading_date, change.trading_date, 3, NULL, NULL,
    CASE WHEN position.symbol IS NULL THEN CAST(change.quantity AS DOUBLE) ELSE position.quantity END,
    position.price, coalesce(position.multiplier, 1)
  FROM known_change change
  LEFT JOIN reported_position position
    ON position.account_no = change.account_no AND position.trading_date = change.trading_date
      AND position.symbol = change.symbol
  WHERE change.unexplained_quantity <> 0 OR change.from_dividends <> 0 AND change.is_of_opening
), numbered_event AS (
  SELECT *, kind IN (0, 3) AS is_reported,
    row_number() OVER (PARTITION BY account_no, symbol
      ORDER BY told_on, CASE WHEN kind = 4 THEN 1 ELSE kind END, trading_date, kind = 1, changed_at,
        order_id) AS n
  FROM event
), spanned_event AS (
  SELECT *, count_if(is_reported) OVER (PARTITION BY account_no, symbol ORDER BY n) AS span
  FROM numbered_event
), running_position AS (
  -- What was reported last and what was filled since; a symbol that the first snapshot does not name begins
  -- with nothing.
  SELECT *, CASE WHEN count(*) OVER so_far = count(quantity) OVER so_far
    THEN sum(quantity) OVER so_far END AS quantity_after,
    CASE WHEN is_reported THEN 0 ELSE quantity END AS filled,
    CASE WHEN NOT is_reported THEN quantity_after - quantity END AS quantity_before
  FROM spanned_event
  WINDOW so_far AS (PARTITION BY account_no, symbol, span ORDER BY n)
), position_step AS (
  -- average = kept x average before + added; begins: nothing of the average before is kept
  SELECT *,
    is_reported OR quantity_before = 0 OR sign(filled) = -sign(quantity_before)
      AND abs(filled) > abs(quantity_before) AS begins,
    sign(filled) = -sign(quantity_before) AS closes,
    CASE
      WHEN closes THEN sign(quantity_before) * least(abs(filled), abs(quantity_before))
      ELSE 0
    END AS closed,
    CASE WHEN begins OR closes THEN 1 ELSE quantity_before / quantity_after END AS kept,
    CASE WHEN begins THEN price WHEN closes THEN 0 ELSE filled * price / quantity_after END AS added
  FROM running_position
), cost_part AS (
  SELECT *, count_if(begins) OVER (PARTITION BY account_no, symbol ORDER BY n) AS part FROM position_step
), weighted_step AS (
  SELECT *, product(kept) OVER (PARTITION BY account_no, symbol, part ORDER BY n) AS weight FROM cost_part
), average_cost AS (
  -- Each part of the cost is worth its weight now over its weight then. A position that was turned over a
  -- thousand times without ever being closed leaves no weight that can be divided by: its average is not
  -- reported.
  SELECT *,
    CASE WHEN count(*) OVER so_far = count(added) OVER so_far AND weight > 1e-250
      THEN weight * sum(added / weight) OVER so_far END AS average
  FROM weighted_step
  WINDOW so_far AS (PARTITION BY account_no, symbol, part ORDER BY n)
), cost_step AS (
  SELECT *, lag(average) OVER (PARTITION BY account_no, symbol ORDER BY n) AS average_before FROM average_cost
)
SELECT account_no, symbol, trading_date,
  TRY_CAST(coalesce(sum(filled) FILTER (WHERE kind = 1 AND filled > 0), 0) AS BIGINT) AS bought,
  coalesce(sum(filled * price * multiplier) FILTER (WHERE kind = 1 AND filled > 0), 0) AS bought_value,
  TRY_CAST(coalesce(-sum(filled) FILTER (WHERE kind = 1 AND filled < 0), 0) AS BIGINT) AS sold,
  coalesce(-sum(filled * price * multiplier) FILTER (WHERE kind = 1 AND filled < 0), 0) AS sold_value,
  TRY_CAST(sum(abs(closed)) AS BIGINT) AS closed,
  sum(abs(closed) * average_before) / nullif(sum(abs(closed)), 0) AS closed_at_average,
  CASE WHEN count_if(quantity_after IS NULL OR closed <> 0 AND (price IS NULL OR average_before IS NULL)) = 0
    THEN coalesce(sum(closed * (price - average_before) * multiplier) FILTER (WHERE closed <> 0),
      0) END AS realised_pnl,
  TRY_CAST(arg_max(quantity_after, n) AS BIGINT) AS quantity,
  arg_max({average: CASE WHEN quantity_after <> 0 THEN average END}, n).average AS average_price,
  bool_or(kind = 2) AS is_expired, bool_or(kind = 3) AS is_rebased
FROM cost_step
WHERE kind > 0
GROUP BY account_no, symbol, trading_date;
COMMENT ON VIEW mart.realised_pnl IS
  'One row per account, symbol and trading date: profit realised by the average-cost method from fills of '
  'order books, without fees and tax, from the account''s first complete snapshot on.';
COMMENT ON COLUMN mart.realised_pnl.trading_date IS
  'Day of the fills (mart.account_fill.trading_date); the ex-date of new shares; of a snapshot, where the '
  'position expired or was set anew.';
COMMENT ON COLUMN mart.realised_pnl.bought IS 'Filled buys, shares or contracts.';
COMMENT ON COLUMN mart.realised_pnl.bought_value IS 'What was bought for, VND, without fees.';
COMMENT ON COLUMN mart.realised_pnl.sold IS 'Filled sells, shares or contracts.';
COMMENT ON COLUMN mart.realised_pnl.sold_value IS 'What was sold for, VND, without fees and tax.';
COMMENT ON COLUMN mart.realised_pnl.closed IS
  'Of what was held, how much was closed: sold, bought back, or expired.';
COMMENT ON COLUMN mart.realised_pnl.closed_at_average IS
  'Average cost of what was closed, VND or index points; null where nothing was, or its cost is not known.';
COMMENT ON COLUMN mart.realised_pnl.realised_pnl IS
  'closed x (price - average cost) x multiplier, short contracts the reverse, VND, without fees and tax; 0 '
  'where nothing was closed, null where a cost or price is not known.';
COMMENT ON COLUMN mart.realised_pnl.quantity IS
  'Position after the day''s last event, shares or net contracts; shares to come included.';
COMMENT ON COLUMN mart.realised_pnl.average_price IS
  'Average cost of that position, VND or index points; null where nothing is held or it is not known.';
COMMENT ON COLUMN mart.realised_pnl.is_expired IS
  'Whether contracts ended and were closed at their final settlement price, or covered warrants ended.';
COMMENT ON COLUMN mart.realised_pnl.is_rebased IS
  'Whether the snapshot reported another quantity than fills and dividends explain, and the position was set '
  'to it.';
