-- grain: one row per account and trading date of which a snapshot was taken; figures where one is complete
-- Net asset value by ours: net_cash + position_value. Shares: account_balance counts what is bought until it
-- is paid (T+2), so unsettled buys are taken off it and unsettled sells added; dividends to come are added,
-- debt with its interest taken off; positions at close, with shares to come. Contracts: cash, delivery_amount
-- (the day's settlement, paid the next day) and the profit of closed contracts, less loans; of open ones the
-- profit against their average price. The specification gives no meaning for these fields; on the sandbox the
-- sum is total_equity to the last dong, but for shares to come, which that does not count. advanced_cash,
-- fee, commission and interest of derivative accounts are excluded: whether the balance has them already is
-- not reported.
-- unexplained_cash: the change that neither prices nor trades explain: fees, tax and interest (negative),
-- dividends that arose (positive), money paid in or out. No field separates these. Where it lies within what
-- costs and dividends may be (costs_most, income_most) no payment has to be assumed, and the change is a
-- return; elsewhere the return is not reported.
-- costs_most: 0.6 % of what was traded (contracts 0.05 %), interest of 20 % a year on debt, the tax on
-- dividends that were paid, 10 VND.
-- income_most: what shares held or bought lost by the reference prices of ex-dates in between, a tick more,
-- less the shares that came or are to come instead; interest of 1 % a year on cash, 10 VND.
CREATE OR REPLACE VIEW mart.account_equity_curve AS
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
  FROM mart.position_change
), valued_position AS MATERIALIZED (
  FROM mart.position_value
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
    valued_day.market_value - before.market_value - (bought_value - sold_value)
      + CASE WHEN trade_total.account_no IS NULL THEN 0 ELSE trade_total.expired_value END AS price_gain,
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
COMMENT ON VIEW mart.account_equity_curve IS
  'One row per account and trading date: cash, positions at close and net asset value beside what the '
  'service reports, how it changed, and what neither prices nor trades explain of that. Days with partial '
  'snapshots only are there without figures.';
COMMENT ON COLUMN mart.account_equity_curve.account_type IS 'CASH, MARGIN or DERIVATIVE.';
COMMENT ON COLUMN mart.account_equity_curve.trading_date IS 'Trading date the snapshot is for.';
COMMENT ON COLUMN mart.account_equity_curve.state IS
  'complete, or partial: then every figure is null, which does not mean that nothing was held.';
COMMENT ON COLUMN mart.account_equity_curve.missing IS
  'What a partial snapshot lacks and why; null when complete.';
COMMENT ON COLUMN mart.account_equity_curve.before_of IS
  'Trading date of the complete snapshot before, which change and what follows compare with; null for the '
  'first.';
COMMENT ON COLUMN mart.account_equity_curve.account_balance IS
  'Cash of the account as the service reports it, VND.';
COMMENT ON COLUMN mart.account_equity_curve.unsettled_sells IS
  'sell_t0 + sell_t1 + sell_t2: sold, not yet paid, VND; 0 for derivative accounts.';
COMMENT ON COLUMN mart.account_equity_curve.unsettled_buys IS
  'buy_t0 + buy_t1 + buy_t2: bought, not yet taken off the balance, VND; 0 for derivative accounts.';
COMMENT ON COLUMN mart.account_equity_curve.dividend IS
  'Cash dividends to come, VND; 0 for derivative accounts.';
COMMENT ON COLUMN mart.account_equity_curve.delivery_amount IS
  'Derivative accounts: profit of the day''s settlement, paid the next day, VND; 0 for others.';
COMMENT ON COLUMN mart.account_equity_curve.total_debt IS
  'Debt with interest and fees, VND; derivative accounts: loan.';
COMMENT ON COLUMN mart.account_equity_curve.net_cash IS
  'account_balance + unsettled_sells - unsettled_buys + dividend + delivery_amount + trading_pl (derivative '
  'accounts) - total_debt, VND; negative when on margin.';
COMMENT ON COLUMN mart.account_equity_curve.positions IS 'Symbols the snapshot names as held.';
COMMENT ON COLUMN mart.account_equity_curve.position_value IS
  'Shares: market value at close, shares to come included, VND. Derivative accounts: unrealised profit '
  'against the average price, VND. Null where one position has no price of 45 days.';
COMMENT ON COLUMN mart.account_equity_curve.net_asset_value IS 'net_cash + position_value, VND: ours.';
COMMENT ON COLUMN mart.account_equity_curve.total_equity IS
  'Net asset value as the service reports it (PP/MMR), VND; null where it does not.';
COMMENT ON COLUMN mart.account_equity_curve.priced_on IS
  'Session whose closes value the positions: trading_date, or the oldest one of a position whose close of '
  'this session is not stored or is withheld; null without positions.';
COMMENT ON COLUMN mart.account_equity_curve.difference IS
  'net_asset_value less total_equity, VND: services may not count shares to come.';
COMMENT ON COLUMN mart.account_equity_curve.change IS
  'net_asset_value less that of before_of, VND, payments included; null for the first, and where the closes '
  'of one of the two sessions are not known (priced_on).';
COMMENT ON COLUMN mart.account_equity_curve.bought_value IS
  'Filled buys since before_of, VND, without fees; contracts at what they stand for. Null where an average '
  'price is not reported.';
COMMENT ON COLUMN mart.account_equity_curve.sold_value IS
  'Filled sells since before_of, VND, without fees and tax.';
COMMENT ON COLUMN mart.account_equity_curve.price_gain IS
  'Part of change that prices and trades explain: market value of positions less that of before_of, less '
  'bought_value, plus sold_value (and what expired), VND. On an ex-date it includes what the price lost. '
  'Null where change is.';
COMMENT ON COLUMN mart.account_equity_curve.unexplained_cash IS
  'change less price_gain, VND: fees, tax, interest, dividends, and money paid in (positive) or out, which '
  'no field separates.';
COMMENT ON COLUMN mart.account_equity_curve.costs_most IS
  'What fees, tax and interest may be at most, VND: 0.6 % of what was traded (contracts 0.05 %), 20 % a '
  'year on debt, the tax of mart.dividend_tax on dividends that were paid, 10 VND.';
COMMENT ON COLUMN mart.account_equity_curve.income_most IS
  'What dividends and interest on cash may be at most, VND: by the reference prices of ex-dates in between, '
  '1 % a year on the balance, 10 VND.';
COMMENT ON COLUMN mart.account_equity_curve.unexplained_positions IS
  'Symbols whose quantity changed by what neither fills nor an ex-date explains: shares transferred, or '
  'orders not reported.';
COMMENT ON COLUMN mart.account_equity_curve.unexplained_shares IS
  'Value of these quantities, VND, at the close (of before_of where nothing of the symbol is left); null '
  'where a price or a quantity is not known.';
COMMENT ON COLUMN mart.account_equity_curve.return_without_flows IS
  'change over the net asset value of before_of, a fraction (0.01 = 1 %), where costs and dividends explain '
  'unexplained_cash and every position is explained; null where money or shares may have been paid in or '
  'out, since how much is not reported, and where the account was worth nothing.';
