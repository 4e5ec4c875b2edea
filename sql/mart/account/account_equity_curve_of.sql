-- grain: one row per account and trading date of which a snapshot was taken; figures where one is complete
-- mart.account_equity_curve of relations that are given by name: changes has rows of mart.position_change,
-- valued those of mart.position_value. Who needs them too then has them planned and computed once.
CREATE OR REPLACE MACRO mart.account_equity_curve_of(changes, valued) AS TABLE
WITH cash AS (
  SELECT snapshot_id, account_no, CAST(account_balance AS DOUBLE) AS account_balance,
    coalesce(CAST(sell_t0 AS DOUBLE), 0) + coalesce(CAST(sell_t1 AS DOUBLE), 0)
      + coalesce(CAST(sell_t2 AS DOUBLE), 0) AS unsettled_sells,
    coalesce(CAST(buy_t0 AS DOUBLE), 0) + coalesce(CAST(buy_t1 AS DOUBLE), 0)
      + coalesce(CAST(buy_t2 AS DOUBLE), 0) AS unsettled_buys,
    coalesce(CAST(dividend AS DOUBLE), 0) AS dividend, 0::DOUBLE AS delivery_amount, 0::DOUBLE AS trading_pl,
    coalesce(CAST(total_debt AS DOUBLE), 0) AS total_debt, false AS is_derivative
  FROM account.equity_balance
  UNION ALL BY NAME
  SELECT snapshot_id, account_no, CAST(account_balance AS DOUBLE) AS account_balance,
    0::DOUBLE AS unsettled_sells, 0::DOUBLE AS unsettled_buys, 0::DOUBLE AS dividend,
    coalesce(CAST(delivery_amount AS DOUBLE), 0) AS delivery_amount,
    coalesce(CAST(trading_pl AS DOUBLE), 0) AS trading_pl,
    coalesce(CAST(loan AS DOUBLE), 0) AS total_debt, true AS is_derivative
  FROM account.derivative_balance
), service_equity AS (
  SELECT snapshot_id, account_no, total_equity FROM account.equity_margin
  UNION ALL
  SELECT snapshot_id, account_no, total_equity FROM account.derivative_margin
), known_change AS MATERIALIZED (
  -- A condition on one side of an outer join makes it compare all pairs of rows: it is in the key instead.
  SELECT *, CASE WHEN unexplained_quantity <> 0 THEN symbol END AS unexplained_symbol
  FROM query_table(changes)
), valued_position AS MATERIALIZED (
  FROM query_table(valued)
), position_total AS (
  -- Nothing is summed where one has no price.
  SELECT account_no, trading_date, count(*) AS positions,
    CASE WHEN count(market_value) = count(*) THEN sum(market_value) END AS market_value,
    CASE WHEN count(dividend_value) = count(*) THEN sum(dividend_value) END AS dividend_value,
    CASE WHEN count(unrealised_pnl) = count(*) THEN sum(unrealised_pnl) END AS unrealised_pnl,
    -- a symbol that did not trade since stands at the close of this session
    min(CASE WHEN is_current THEN trading_date ELSE priced_on END) AS priced_on
  FROM valued_position
  GROUP BY account_no, trading_date
), valued_day AS MATERIALIZED (
  SELECT day.account_no, day.account_type, day.trading_date, day.state, day.missing, day.before_of,
    CASE WHEN day.state = 'complete' THEN day.before_of END AS compared_with,
    cash.account_balance, cash.unsettled_sells, cash.unsettled_buys, cash.dividend, cash.delivery_amount,
    cash.total_debt, cash.is_derivative,
    cash.account_balance + cash.unsettled_sells - cash.unsettled_buys + cash.dividend + cash.delivery_amount
      + cash.trading_pl - cash.total_debt AS net_cash,
    CASE WHEN cash.snapshot_id IS NOT NULL THEN coalesce(position_total.positions, 0) END AS positions,
    CASE
      WHEN cash.snapshot_id IS NULL THEN NULL
      WHEN position_total.account_no IS NULL THEN 0
      WHEN cash.is_derivative THEN position_total.unrealised_pnl
      ELSE position_total.market_value + position_total.dividend_value
    END AS position_value,
    CASE
      WHEN position_total.account_no IS NULL THEN 0
      ELSE position_total.market_value + position_total.dividend_value
    END AS market_value,
    net_cash + position_value AS net_asset_value,
    CASE WHEN cash.snapshot_id IS NOT NULL THEN position_total.priced_on END AS priced_on,
    coalesce(position_total.priced_on < day.trading_date, false) AS is_stale,
    CAST(service_equity.total_equity AS DOUBLE) AS total_equity
  FROM mart.account_day day
  LEFT JOIN cash ON cash.snapshot_id = day.snapshot_id AND cash.account_no = day.account_no
  LEFT JOIN service_equity
    ON service_equity.snapshot_id = day.snapshot_id AND service_equity.account_no = day.account_no
  LEFT JOIN position_total
    ON position_total.account_no = day.account_no AND position_total.trading_date = day.trading_date
), trade_total AS (
  SELECT change.account_no, change.trading_date,
    CASE WHEN count(*) = count(bought_value) THEN sum(bought_value) END AS bought_value,
    CASE WHEN count(*) = count(sold_value) THEN sum(sold_value) END AS sold_value,
    CASE WHEN count_if(expired <> 0 AND expired_at IS NULL) = 0
      THEN coalesce(sum(expired * expired_at * mart.multiplier(change.symbol)), 0) END AS expired_value,
    count_if(unexplained_quantity IS NULL OR unexplained_quantity <> 0
      AND NOT has_ex_date) AS unexplained_positions,
    CASE WHEN count_if(unexplained_quantity IS NULL OR unexplained_quantity <> 0 AND NOT has_ex_date
        AND coalesce(position.price, before.price) IS NULL) = 0
      THEN coalesce(sum(change.unexplained_quantity * CAST(coalesce(position.price, before.price) AS DOUBLE)
        * mart.multiplier(change.symbol)) FILTER (WHERE NOT has_ex_date), 0) END AS unexplained_shares
  FROM known_change change
  LEFT JOIN valued_position position
    ON position.account_no = change.account_no AND position.trading_date = change.trading_date
      AND position.symbol = change.unexplained_symbol
  LEFT JOIN valued_position before
    ON before.account_no = change.account_no AND before.trading_date = change.before_of
      AND before.symbol = change.unexplained_symbol
  GROUP BY change.account_no, change.trading_date
), ex_date_loss AS (
  -- What prices lost, a tick more, and the shares that came or are to come instead.
  SELECT change.account_no, change.trading_date, change.symbol,
    sum((CAST(change.quantity_before AS DOUBLE) + CAST(change.bought AS DOUBLE))
      * (CAST(event.previous_basis AS DOUBLE) - CAST(event.ref_price AS DOUBLE) + 100)) AS lost,
    any_value(greatest(CAST(change.unexplained_quantity AS DOUBLE), 0) + change.announced) AS shares,
    min(CAST(event.ref_price AS DOUBLE)) AS ref_price
  FROM known_change change
  JOIN mart.adjustment_event event
    ON event.symbol = change.symbol AND event.ex_date > change.before_of
      AND event.ex_date <= change.trading_date
  WHERE event.basis_kind <> 'settlement' AND event.ref_price < event.previous_basis
  GROUP BY change.account_no, change.trading_date, change.symbol
), entitlement AS (
  SELECT account_no, trading_date, sum(greatest(lost - shares * ref_price, 0)) AS most
  FROM ex_date_loss
  GROUP BY account_no, trading_date
), day_change AS (
  SELECT valued_day.*, before.net_asset_value AS net_asset_value_before,
    valued_day.net_asset_value - before.net_asset_value AS value_change,
    valued_day.is_stale OR before.is_stale AS is_change_unknown,
    -- The day has a day before it; one without anything held or traded has no row of changes.
    CASE
      WHEN before.account_no IS NULL THEN NULL
      WHEN trade_total.account_no IS NULL THEN 0
      ELSE trade_total.bought_value
    END AS bought_value,
    CASE
      WHEN before.account_no IS NULL THEN NULL
      WHEN trade_total.account_no IS NULL THEN 0
      ELSE trade_total.sold_value
    END AS sold_value,
    CASE WHEN before.account_no IS NOT NULL
      THEN coalesce(trade_total.unexplained_positions, 0) END AS unexplained_positions,
    CASE
      WHEN before.account_no IS NULL THEN NULL
      WHEN trade_total.account_no IS NULL THEN 0
      ELSE trade_total.unexplained_shares
    END AS unexplained_shares,
    -- of trade_total: a name without its table would be its column, not the value above
    valued_day.market_value - before.market_value
      + CASE
        WHEN trade_total.account_no IS NULL THEN 0
        ELSE trade_total.expired_value - (trade_total.bought_value - trade_total.sold_value)
      END AS price_gain,
    (valued_day.trading_date - valued_day.before_of) / 365 AS years,
    greatest(before.total_debt, valued_day.total_debt) AS debt,
    greatest(before.account_balance, valued_day.account_balance, 0) AS balance,
    coalesce(entitlement.most, 0) AS entitlement_most,
    greatest(before.dividend - valued_day.dividend, 0) AS paid_dividend
  FROM valued_day
  LEFT JOIN valued_day before
    ON before.account_no = valued_day.account_no AND before.trading_date = valued_day.compared_with
  LEFT JOIN trade_total
    ON trade_total.account_no = valued_day.account_no AND trade_total.trading_date = valued_day.trading_date
  LEFT JOIN entitlement
    ON entitlement.account_no = valued_day.account_no AND entitlement.trading_date = valued_day.trading_date
), explained_change AS (
  -- prices cancel out of what nothing explains, stale ones too
  SELECT *, value_change - price_gain AS unexplained_cash,
    10 + (bought_value + sold_value) * CASE WHEN is_derivative THEN 0.0005 ELSE 0.006 END
      + debt * 0.20 * years + paid_dividend * mart.dividend_tax(trading_date) / 100 AS costs_most,
    CASE WHEN value_change IS NOT NULL THEN 10 + entitlement_most + balance * 0.01 * years END AS income_most
  FROM day_change
)
SELECT account_no, account_type, trading_date, state, missing, before_of, account_balance, unsettled_sells,
  unsettled_buys, dividend, delivery_amount, total_debt, net_cash, positions, position_value,
  net_asset_value, total_equity,
  net_asset_value - total_equity AS difference, priced_on,
  CASE WHEN NOT is_change_unknown THEN value_change END AS change, bought_value, sold_value,
  CASE WHEN NOT is_change_unknown THEN price_gain END AS price_gain,
  unexplained_cash, costs_most, income_most, unexplained_positions, unexplained_shares,
  CASE WHEN NOT is_change_unknown AND unexplained_cash BETWEEN -costs_most AND income_most
    AND unexplained_positions = 0 AND net_asset_value_before > 0
    THEN value_change / net_asset_value_before END AS return_without_flows
FROM explained_change;
COMMENT ON MACRO TABLE mart.account_equity_curve_of IS
  'mart.account_equity_curve of changes and positions that are given by name: rows of mart.position_change '
  'and of mart.position_value.';
