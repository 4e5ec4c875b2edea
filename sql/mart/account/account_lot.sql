-- grain: one row per account, symbol, method (fifo, average), opening event of a lot, and closing event; one
--   without a closing event for what is left of the lot at the account's latest complete snapshot
-- Events of a position, in order: what the account's first snapshot has (opening), fills (all reports of an
-- order together), shares that an ex-date gave or took (they change the shares of every open lot, not what
-- was paid for it), expiry, and what neither fills nor ex-dates explain (transfer: brought in or taken out,
-- or orders that were not reported).
-- Shares owned are quantity and dividend_quantity, so that new shares count from their ex-date on. New
-- shares are of an ex-date of mart.adjustment_event where its factor leaves room for them (2 % and a share
-- more); otherwise they are a transfer. Lots are counted in shares of the account's first day, each event
-- divided by what ex-dates gave until then.
-- fifo: what was bought first is sold first.
-- average: every fill that closes is a round trip of the whole position, at its average cost, from the day
-- on which the position was opened.
-- A short position of contracts is opened by selling; a fill that turns a position closes it and opens the
-- rest.
CREATE OR REPLACE VIEW mart.account_lot AS
WITH held_position AS MATERIALIZED (
  FROM mart.account_position
), known_change AS MATERIALIZED (
  FROM mart.position_change
), fill AS MATERIALIZED (
  SELECT account_no, symbol, order_id, told_on, trading_date, changed_at, multiplier, price,
    CASE side WHEN 'B' THEN 1 ELSE -1 END * CAST(quantity AS DOUBLE) AS quantity
  FROM mart.account_fill
  WHERE NOT is_opening AND quantity IS NOT NULL
), fill_cost AS (
  SELECT account_no, order_id, reported_on, CASE WHEN count(*) = count(cost) THEN sum(cost) END AS cost,
    min(missing) AS missing
  FROM mart.account_cost
  WHERE kind <> 'interest'
  GROUP BY account_no, order_id, reported_on
), order_fill AS (
  SELECT fill.account_no, fill.symbol, fill.order_id, min(fill.told_on) AS told_on,
    max(fill.trading_date) AS trading_date, max(fill.changed_at) AS changed_at,
    any_value(fill.multiplier) AS multiplier, sum(fill.quantity) AS quantity,
    CASE WHEN count(*) = count(fill.price) THEN sum(fill.quantity * fill.price) / sum(fill.quantity)
      END AS price,
    CASE WHEN count(*) = count(fill_cost.cost) THEN sum(fill_cost.cost) END AS cost,
    min(fill_cost.missing) AS missing
  FROM fill
  LEFT JOIN fill_cost ON fill_cost.account_no = fill.account_no AND fill_cost.order_id = fill.order_id
    AND fill_cost.reported_on = fill.told_on
  GROUP BY fill.account_no, fill.symbol, fill.order_id
  HAVING sum(fill.quantity) <> 0
), first_position AS (
  SELECT position.account_no, position.symbol, position.trading_date, position.multiplier,
    CAST(position.quantity AS DOUBLE) + coalesce(position.dividend_quantity, 0) AS owned,
    -- whether a cost price counts shares to come is not specified
    CASE WHEN coalesce(position.dividend_quantity, 0) = 0
      THEN CAST(position.average_price AS DOUBLE) END AS price
  FROM held_position position
  JOIN mart.account_day day
    ON day.account_no = position.account_no AND day.trading_date = position.trading_date
      AND day.before_of IS NULL
), reported_position AS (
  SELECT change.account_no, change.symbol, change.trading_date, change.before_of, change.expired,
    change.expired_at, CAST(change.quantity AS DOUBLE) + coalesce(position.dividend_quantity, 0) AS owned,
    sum(CAST(change.bought AS DOUBLE) - CAST(change.sold AS DOUBLE)
      - coalesce(CAST(change.expired AS DOUBLE), 0)) OVER so_far AS explained
  FROM known_change change
  LEFT JOIN held_position position
    ON position.account_no = change.account_no AND position.symbol = change.symbol
      AND position.trading_date = change.trading_date
  WINDOW so_far AS (PARTITION BY change.account_no, change.symbol ORDER BY change.trading_date)
), unexplained AS (
  -- since the day before whose quantity is known
  SELECT reported.account_no, reported.symbol, reported.trading_date, reported.before_of, reported.owned,
    reported.owned - reported.explained
      - coalesce(lag(reported.owned - reported.explained) OVER days, first_position.owned, 0) AS quantity
  FROM reported_position reported
  LEFT JOIN first_position
    ON first_position.account_no = reported.account_no AND first_position.symbol = reported.symbol
  WHERE reported.owned IS NOT NULL
  WINDOW days AS (PARTITION BY reported.account_no, reported.symbol ORDER BY reported.trading_date)
), ex_date AS (
  SELECT change.account_no, change.symbol, change.trading_date, change.quantity, change.owned,
    max(event.ex_date) AS ex_date,
    product(least(event.factor, event.observed_factor, event.declared_factor)) AS lowest_factor,
    product(greatest(event.factor, event.observed_factor, event.declared_factor)) AS highest_factor
  FROM unexplained change
  JOIN mart.adjustment_event event
    ON event.symbol = change.symbol AND event.ex_date > change.before_of
      AND event.ex_date <= change.trading_date
  WHERE change.quantity <> 0 AND event.basis_kind IS DISTINCT FROM 'settlement'
  GROUP BY change.account_no, change.symbol, change.trading_date, change.quantity, change.owned
), entitled_position AS (
  SELECT ex_date.*, coalesce(sum(fill.quantity), 0) AS filled_since
  FROM ex_date
  LEFT JOIN fill ON fill.account_no = ex_date.account_no AND fill.symbol = ex_date.symbol
    AND fill.told_on = ex_date.trading_date AND fill.trading_date >= ex_date.ex_date
  GROUP BY ALL
), new_share AS (
  SELECT *, owned - quantity - filled_since AS owned_before,
    (owned_before + quantity) / owned_before AS scale
  FROM entitled_position
  WHERE owned_before > 0 AND owned_before + quantity > 0
    AND quantity BETWEEN least(owned_before * (1 / highest_factor - 1), 0) * 1.02 - 1
      AND greatest(owned_before * (1 / lowest_factor - 1), 0) * 1.02 + 1
), event AS (
  SELECT account_no, symbol, 0 AS stage, trading_date AS told_on, trading_date,
    NULL::TIMESTAMPTZ AS changed_at, NULL::VARCHAR AS order_id, 'opening' AS kind, owned AS quantity, price,
    1::DOUBLE AS scale, 0::DOUBLE AS cost, NULL::VARCHAR AS missing, multiplier
  FROM first_position
  WHERE owned <> 0
  UNION ALL
  SELECT account_no, symbol, 1, told_on, trading_date, changed_at, order_id, 'fill', quantity, price, 1, cost,
    missing, multiplier
  FROM order_fill
  UNION ALL
  SELECT account_no, symbol, 1, trading_date, ex_date, NULL, NULL, 'new shares', 0, NULL, scale, 0, NULL, 1
  FROM new_share
  UNION ALL
  SELECT account_no, symbol, 2, trading_date, trading_date, NULL, NULL, 'expiry', -CAST(expired AS DOUBLE),
    expired_at, 1, NULL, 'fees of contracts are not reported', mart.multiplier(symbol)
  FROM reported_position
  WHERE expired <> 0
  UNION ALL
  SELECT account_no, symbol, 3, trading_date, trading_date, NULL, NULL, 'transfer', quantity, NULL, 1, NULL,
    NULL, mart.multiplier(symbol)
  FROM unexplained
  ANTI JOIN new_share USING (account_no, symbol, trading_date)
  WHERE quantity <> 0
), scaled_event AS (
  SELECT *, row_number() OVER in_order AS n, product(scale) OVER so_far AS shares_per_unit,
    quantity / shares_per_unit AS units
  FROM event
  WINDOW in_order AS (PARTITION BY account_no, symbol
    ORDER BY told_on, stage, trading_date, kind = 'fill', changed_at, order_id),
    so_far AS (PARTITION BY account_no, symbol
    ORDER BY told_on, stage, trading_date, kind = 'fill', changed_at, order_id
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
), symbol_now AS (
  SELECT account_no, symbol, product(scale) AS shares_per_unit
  FROM event
  GROUP BY account_no, symbol
), counted_event AS (
  -- to a millionth of a share: what a division leaves is not a position
  SELECT *, round(sum(units) OVER (PARTITION BY account_no, symbol ORDER BY n), 6) AS units_after,
    coalesce(round(sum(units) OVER (PARTITION BY account_no, symbol ORDER BY n
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 6), 0) AS units_before
  FROM scaled_event
  WHERE kind <> 'new shares'
), step AS MATERIALIZED (
  SELECT *,
    CASE WHEN sign(units) = -sign(units_before) THEN least(abs(units), abs(units_before)) ELSE 0
      END AS closed,
    CASE WHEN abs(units) - closed > 0.000001 THEN abs(units) - closed ELSE 0 END AS opened,
    price * shares_per_unit AS unit_price, cost / abs(units) AS unit_cost,
    units_before = 0 OR closed > 0 AND opened > 0 AS begins
  FROM counted_event
), opening AS (
  SELECT *, sign(units) AS direction,
    sum(opened) OVER (PARTITION BY account_no, symbol, sign(units) ORDER BY n) AS opened_up_to
  FROM step
  WHERE opened > 0
), closing AS (
  SELECT *, sign(units_before) AS direction,
    sum(closed) OVER (PARTITION BY account_no, symbol, sign(units_before) ORDER BY n) AS closed_up_to
  FROM step
  WHERE closed > 0
), closed_total AS (
  SELECT account_no, symbol, direction, max(closed_up_to) AS units
  FROM closing
  GROUP BY account_no, symbol, direction
), fifo_part AS (
  SELECT 'fifo' AS method, opening.account_no, opening.symbol, opening.direction, opening.multiplier,
    opening.n AS lot, opening.trading_date AS opened_on, opening.order_id AS opened_by,
    opening.kind AS opened_with, opening.unit_price, opening.unit_cost, opening.missing AS missing_cost,
    closing.n AS closing,
    least(opening.opened_up_to, closing.closed_up_to) - greatest(opening.opened_up_to - opening.opened,
      closing.closed_up_to - closing.closed) AS part
  FROM opening
  JOIN closing ON closing.account_no = opening.account_no AND closing.symbol = opening.symbol
    AND closing.direction = opening.direction
    AND closing.closed_up_to > opening.opened_up_to - opening.opened
    AND closing.closed_up_to - closing.closed < opening.opened_up_to
  UNION ALL
  SELECT 'fifo', opening.account_no, opening.symbol, opening.direction, opening.multiplier, opening.n,
    opening.trading_date, opening.order_id, opening.kind, opening.unit_price, opening.unit_cost,
    opening.missing, NULL,
    opening.opened_up_to - greatest(opening.opened_up_to - opening.opened, coalesce(closed_total.units, 0))
  FROM opening
  LEFT JOIN closed_total
    ON closed_total.account_no = opening.account_no AND closed_total.symbol = opening.symbol
      AND closed_total.direction = opening.direction
), pool_step AS (
  -- average = kept x average before + added, as in mart.realised_pnl
  SELECT *, count_if(begins) OVER (PARTITION BY account_no, symbol ORDER BY n) AS pool,
    CASE WHEN begins OR closed > 0 THEN 1 ELSE units_before / units_after END AS kept,
    CASE WHEN begins THEN 1 WHEN closed > 0 THEN 0 ELSE units / units_after END AS share_added
  FROM step
), weighted_pool AS (
  SELECT *, product(kept) OVER (PARTITION BY account_no, symbol, pool ORDER BY n) AS weight,
    CASE WHEN share_added = 0 THEN 0 ELSE share_added * unit_price END AS price_added,
    CASE WHEN share_added = 0 THEN 0 ELSE share_added * unit_cost END AS cost_added
  FROM pool_step
), average_pool AS (
  SELECT *, min(trading_date) OVER pools AS pool_opened_on,
    first_value(kind) OVER pools AS pool_opened_with, first_value(n) OVER pools AS pool_lot,
    min(CASE WHEN opened > 0 THEN missing END) OVER pools AS missing_cost,
    CASE WHEN count(*) OVER pools = count(price_added) OVER pools AND weight > 1e-250
      THEN weight * sum(price_added / weight) OVER pools END AS average_price,
    CASE WHEN count(*) OVER pools = count(cost_added) OVER pools AND weight > 1e-250
      THEN weight * sum(cost_added / weight) OVER pools END AS average_cost
  FROM weighted_pool
  WINDOW pools AS (PARTITION BY account_no, symbol, pool ORDER BY n)
), pool_before AS (
  SELECT *, lag(pool_lot) OVER events AS lot, lag(pool_opened_on) OVER events AS opened_on,
    lag(pool_opened_with) OVER events AS opened_with, lag(average_price) OVER events AS unit_price_before,
    lag(average_cost) OVER events AS unit_cost_before, lag(missing_cost) OVER events AS missing_before,
    row_number() OVER (PARTITION BY account_no, symbol ORDER BY n DESC) AS from_end
  FROM average_pool
  WINDOW events AS (PARTITION BY account_no, symbol ORDER BY n)
), average_part AS (
  SELECT 'average' AS method, account_no, symbol, sign(units_before) AS direction, multiplier, lot, opened_on,
    NULL::VARCHAR AS opened_by, opened_with, unit_price_before AS unit_price,
    unit_cost_before AS unit_cost, missing_before AS missing_cost, n AS closing, closed AS part
  FROM pool_before
  WHERE closed > 0
  UNION ALL
  SELECT 'average', account_no, symbol, sign(units_after), multiplier, pool_lot, pool_opened_on, NULL,
    pool_opened_with, average_price, average_cost, missing_cost, NULL, abs(units_after)
  FROM pool_before
  WHERE from_end = 1 AND units_after <> 0
), latest_day AS (
  SELECT account_no, max(trading_date) AS as_of
  FROM mart.account_day
  WHERE snapshot_id IS NOT NULL
  GROUP BY account_no
), lot_part AS (
  SELECT opening.*, closing.trading_date AS closed_on, closing.order_id AS closed_by,
    closing.kind AS closed_with, latest_day.as_of,
    closing.unit_price AS exit_unit_price, closing.unit_cost AS exit_unit_cost,
    closing.missing AS exit_missing_cost,
    coalesce(closing.shares_per_unit, symbol_now.shares_per_unit) AS shares_per_unit
  FROM (FROM fifo_part UNION ALL FROM average_part) opening
  LEFT JOIN step closing ON closing.account_no = opening.account_no AND closing.symbol = opening.symbol
    AND closing.n = opening.closing
  JOIN symbol_now ON symbol_now.account_no = opening.account_no AND symbol_now.symbol = opening.symbol
  JOIN latest_day ON latest_day.account_no = opening.account_no
  WHERE opening.part > 0.000001
), lot_day AS (
  SELECT min(opened_on) AS first_day, max(greatest(as_of, closed_on)) AS last_day FROM lot_part
), session AS (
  SELECT day.day, row_number() OVER (ORDER BY day.day) AS ordinal
  FROM (SELECT CAST(unnest(range(first_day, last_day + INTERVAL 1 DAY, INTERVAL 1 DAY)) AS DATE) AS day
    FROM lot_day) day
  ANTI JOIN mart.closed_day closed ON closed.day = day.day
  JOIN mart.announced_year announced ON announced.year = year(day.day)
  WHERE isodow(day.day) <= 5
), valued_part AS (
  SELECT *, opened_with = 'fill' AS is_dated, coalesce(closed_on, as_of) AS held_until,
    part * shares_per_unit AS quantity, part * unit_price * multiplier AS entry_value,
    part * exit_unit_price * multiplier AS exit_value,
    direction * (exit_value - entry_value) AS profit,
    part * (unit_cost + exit_unit_cost) AS cost
  FROM lot_part
)
SELECT part.account_no, part.symbol, part.method, CASE WHEN part.direction > 0 THEN 'long' ELSE 'short' END
    AS direction,
  part.lot, part.closing, part.opened_with, part.opened_on, part.opened_by, part.closed_with, part.closed_on,
  part.closed_by, round(part.quantity, 6) AS lot_quantity,
  part.unit_price / part.shares_per_unit AS entry_price,
  part.exit_unit_price / part.shares_per_unit AS exit_price, part.multiplier, part.entry_value,
  part.exit_value,
  CASE WHEN part.is_dated THEN part.held_until - part.opened_on END AS holding_days,
  CASE WHEN part.is_dated THEN until.ordinal - since.ordinal END AS holding_sessions,
  part.profit, part.cost, part.profit - part.cost AS profit_after_cost,
  CASE
    WHEN part.closing IS NULL OR part.profit - part.cost IS NOT NULL THEN NULL
    WHEN part.closed_with = 'transfer' THEN 'not sold: transferred, or by an order that is not reported'
    WHEN part.entry_value IS NULL THEN 'what was paid is not known'
    WHEN part.exit_value IS NULL THEN 'what was received is not known'
    ELSE coalesce(part.missing_cost, part.exit_missing_cost, 'a cost is not known')
  END AS missing
FROM valued_part part
ASOF LEFT JOIN session since ON part.opened_on >= since.day
ASOF LEFT JOIN session until ON part.held_until >= until.day;
COMMENT ON VIEW mart.account_lot IS
  'One row per account, symbol, method and round trip: when and at what a lot was opened and closed, how '
  'long it was held, and what it earned after cost; one more for what is left of it. Choose a method (fifo '
  'or average) before summing.';
COMMENT ON COLUMN mart.account_lot.method IS
  'fifo: bought first, sold first. average: each sale closes part of the whole position at its average '
  'cost.';
COMMENT ON COLUMN mart.account_lot.direction IS 'long; short for contracts that were sold first.';
COMMENT ON COLUMN mart.account_lot.lot IS
  'Ordinal of the event that opened the lot, per account and symbol; average: of the one that opened the '
  'position.';
COMMENT ON COLUMN mart.account_lot.closing IS
  'Ordinal of the event that closed this part; null while it is open.';
COMMENT ON COLUMN mart.account_lot.opened_with IS
  'fill; opening (in the account''s first snapshot); transfer (brought in, or by an order that is not '
  'reported).';
COMMENT ON COLUMN mart.account_lot.opened_on IS
  'Day of the fill; opening and transfer: of the snapshot that shows it first. average: day on which the '
  'position was opened.';
COMMENT ON COLUMN mart.account_lot.opened_by IS
  'Order that opened the lot; null for opening, transfer and average.';
COMMENT ON COLUMN mart.account_lot.closed_with IS
  'fill; expiry; transfer (taken out, or by an order that is not reported); null while it is open.';
COMMENT ON COLUMN mart.account_lot.closed_on IS 'Day on which this part was closed; null while it is open.';
COMMENT ON COLUMN mart.account_lot.closed_by IS
  'Order that closed it; null while it is open, and for expiry and transfer.';
COMMENT ON COLUMN mart.account_lot.lot_quantity IS
  'Shares or contracts of this part when it was closed, or now: after the shares that ex-dates gave or '
  'took, shares to come included. Parts of shares occur where new shares fall on several lots.';
COMMENT ON COLUMN mart.account_lot.entry_price IS
  'Paid (short: received) per share of lot_quantity, VND or index points, without costs; opening: the '
  'average price that the service states. Null where it is not known.';
COMMENT ON COLUMN mart.account_lot.exit_price IS
  'Received (short: paid) per share of lot_quantity, VND or index points, without costs; expiry: the final '
  'settlement price. Null while it is open, or where it is not known.';
COMMENT ON COLUMN mart.account_lot.entry_value IS 'lot_quantity x entry_price x multiplier, VND.';
COMMENT ON COLUMN mart.account_lot.exit_value IS 'lot_quantity x exit_price x multiplier, VND.';
COMMENT ON COLUMN mart.account_lot.holding_days IS
  'Calendar days from opened_on to closed_on, or to the account''s latest complete snapshot while it is '
  'open; null for opening and transfer, whose first day is not known.';
COMMENT ON COLUMN mart.account_lot.holding_sessions IS
  'The same in sessions (mart.closed_day); 0: closed on the day it was opened.';
COMMENT ON COLUMN mart.account_lot.profit IS
  'exit_value less entry_value (short: the reverse), VND, without costs and dividends; null while it is '
  'open.';
COMMENT ON COLUMN mart.account_lot.cost IS
  'Fees and tax of both fills for this part, VND (mart.account_cost); of opening only those of the exit. '
  'Null while it is open, or where one is not known.';
COMMENT ON COLUMN mart.account_lot.profit_after_cost IS
  'profit less cost, VND: above 0 is a win. Null while it is open, and where missing is not null.';
COMMENT ON COLUMN mart.account_lot.missing IS
  'Why profit_after_cost of a closed part is null; null where it is not.';
