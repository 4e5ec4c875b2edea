-- grain: one row per account, trading date with a complete snapshot and one before it, and symbol held in one
--   of them or
-- traded in between mart.position_match for all days at once. expired: contracts that ended in between,
-- closed at the final settlement, and covered warrants that ended, which are paid in money.
-- unexplained_quantity: what neither fills nor announced dividends explain: new shares that a broker adds at
-- once on an ex-date (has_ex_date), transfers, or orders that were not reported.
-- MATERIALIZED: what is mentioned several times is planned once. Views of views multiply otherwise: a
-- statement of mart.realised_pnl and mart.account_equity_curve was planned for 8 of its 10 seconds.
CREATE OR REPLACE VIEW mart.position_change AS
WITH held_position AS MATERIALIZED (
  FROM mart.account_position
), day AS MATERIALIZED (
  SELECT account_no, trading_date, before_of
  FROM mart.account_day WHERE snapshot_id IS NOT NULL AND before_of IS NOT NULL
), fill_total AS MATERIALIZED (
  SELECT account_no, told_on, symbol,
    coalesce(sum(CAST(quantity AS HUGEINT)) FILTER (WHERE side = 'B'), 0) AS bought,
    coalesce(sum(CAST(quantity AS HUGEINT)) FILTER (WHERE side = 'S'), 0) AS sold,
    CASE WHEN count(*) = count(value) THEN sum(CASE side WHEN 'B' THEN value ELSE 0 END) END AS bought_value,
    CASE WHEN count(*) = count(value) THEN sum(CASE side WHEN 'S' THEN value ELSE 0 END) END AS sold_value
  FROM mart.account_fill
  WHERE NOT is_opening
  GROUP BY account_no, told_on, symbol
), position_key AS MATERIALIZED (
  SELECT day.account_no, day.trading_date, position.symbol
  FROM day
  JOIN held_position position
    ON position.account_no = day.account_no AND position.trading_date = day.trading_date
  UNION
  SELECT day.account_no, day.trading_date, position.symbol
  FROM day
  JOIN held_position position
    ON position.account_no = day.account_no AND position.trading_date = day.before_of
  UNION
  SELECT account_no, told_on, symbol FROM fill_total
), ex_date AS (
  SELECT DISTINCT position_key.account_no, position_key.trading_date, position_key.symbol
  FROM position_key
  JOIN day ON day.account_no = position_key.account_no AND day.trading_date = position_key.trading_date
  JOIN mart.adjustment_event event
    ON event.symbol = position_key.symbol AND event.ex_date > day.before_of
      AND event.ex_date <= day.trading_date
  WHERE event.basis_kind <> 'settlement'
), symbol_kind AS MATERIALIZED (
  -- once per symbol: a macro is planned anew wherever its value is used, which took half of this view's plan
  SELECT symbol, mart.instrument_kind(symbol, security.cw_underlying_symbol) AS kind,
    mart.last_day_of(symbol, security.last_trading_date) AS last_day
  FROM (SELECT DISTINCT symbol FROM position_key) held
  LEFT JOIN market.security security USING (symbol)
), position_pair AS (
  SELECT position_key.account_no, position_key.trading_date, day.before_of, position_key.symbol,
    CASE WHEN before.symbol IS NULL THEN 0 ELSE CAST(before.quantity AS HUGEINT) END AS quantity_before,
    coalesce(fill_total.bought, 0) AS bought, coalesce(fill_total.sold, 0) AS sold,
    CASE WHEN fill_total.symbol IS NULL THEN 0 ELSE fill_total.bought_value END AS bought_value,
    CASE WHEN fill_total.symbol IS NULL THEN 0 ELSE fill_total.sold_value END AS sold_value,
    coalesce(CAST(before.dividend_quantity AS HUGEINT), 0) AS to_come_before,
    coalesce(CAST(position.dividend_quantity AS HUGEINT), 0) AS to_come,
    greatest(to_come_before - to_come, 0) AS from_dividends,
    greatest(to_come - to_come_before, 0) AS announced,
    CASE WHEN position.symbol IS NULL THEN 0 ELSE CAST(position.quantity AS HUGEINT) END AS quantity,
    ex_date.symbol IS NOT NULL AS has_ex_date, symbol_kind.kind,
    mart.has_expired(symbol_kind.kind, symbol_kind.last_day, position_key.trading_date, position.quantity)
      AS has_ended,
    CASE
      WHEN final.settlement_price > 0 THEN final.settlement_price
      WHEN final.close > 0 THEN final.close
    END AS last_price
  FROM position_key
  JOIN day ON day.account_no = position_key.account_no AND day.trading_date = position_key.trading_date
  LEFT JOIN held_position position
    ON position.account_no = position_key.account_no AND position.trading_date = position_key.trading_date
      AND position.symbol = position_key.symbol
  LEFT JOIN held_position before
    ON before.account_no = position_key.account_no AND before.trading_date = day.before_of
      AND before.symbol = position_key.symbol
  LEFT JOIN fill_total
    ON fill_total.account_no = position_key.account_no AND fill_total.told_on = position_key.trading_date
      AND fill_total.symbol = position_key.symbol
  LEFT JOIN ex_date
    ON ex_date.account_no = position_key.account_no AND ex_date.trading_date = position_key.trading_date
      AND ex_date.symbol = position_key.symbol
  LEFT JOIN symbol_kind ON symbol_kind.symbol = position_key.symbol
  LEFT JOIN market.daily_summary final
    ON final.symbol = position_key.symbol AND final.trading_date = symbol_kind.last_day
), explained_position AS (
  SELECT *, CASE WHEN has_ended THEN quantity_before + bought - sold ELSE 0 END AS expired,
    quantity - (quantity_before + bought - sold + from_dividends - expired) AS unexplained_quantity
  FROM position_pair
)
SELECT account_no, trading_date, before_of, symbol, TRY_CAST(quantity_before AS BIGINT) AS quantity_before,
  TRY_CAST(bought AS BIGINT) AS bought, TRY_CAST(sold AS BIGINT) AS sold, bought_value, sold_value,
  TRY_CAST(from_dividends AS BIGINT) AS from_dividends, TRY_CAST(announced AS BIGINT) AS announced,
  TRY_CAST(expired AS BIGINT) AS expired,
  CASE WHEN expired <> 0 AND kind = 'future' THEN CAST(last_price AS DOUBLE) END AS expired_at,
  TRY_CAST(quantity AS BIGINT) AS quantity,
  TRY_CAST(unexplained_quantity AS BIGINT) AS unexplained_quantity, has_ex_date
FROM explained_position;
COMMENT ON VIEW mart.position_change IS
  'One row per account, trading date and symbol: the position between two complete snapshots, what was '
  'traded in between and what nothing explains.';
COMMENT ON COLUMN mart.position_change.trading_date IS 'Trading date of the later snapshot.';
COMMENT ON COLUMN mart.position_change.before_of IS 'Trading date of the earlier one.';
COMMENT ON COLUMN mart.position_change.quantity_before IS
  'Shares or net contracts in the earlier snapshot; 0 where it does not name the symbol.';
COMMENT ON COLUMN mart.position_change.bought IS 'Filled buys in between, shares or contracts.';
COMMENT ON COLUMN mart.position_change.sold IS 'Filled sells in between, shares or contracts.';
COMMENT ON COLUMN mart.position_change.bought_value IS
  'What was bought for, VND, without fees; null where an average price is not reported.';
COMMENT ON COLUMN mart.position_change.sold_value IS
  'What was sold for, VND, without fees and tax; null where an average price is not reported.';
COMMENT ON COLUMN mart.position_change.from_dividends IS
  'Shares that were to come from dividends and do not any more.';
COMMENT ON COLUMN mart.position_change.announced IS
  'Shares that are to come from dividends and were not before: not in quantity.';
COMMENT ON COLUMN mart.position_change.expired IS
  'Net contracts that ended with their last session, and covered warrants that ended and are no longer '
  'on the account; 0 for all else.';
COMMENT ON COLUMN mart.position_change.expired_at IS
  'Final settlement price of contracts, else the last close, index points; null where nothing ended or '
  'neither is stored, and for warrants: what they pay is not reported.';
COMMENT ON COLUMN mart.position_change.quantity IS
  'Shares or net contracts in the later snapshot; 0 where it does not name the symbol.';
COMMENT ON COLUMN mart.position_change.unexplained_quantity IS
  'quantity less quantity_before, bought, sold, from_dividends and expired: 0 where all is explained.';
COMMENT ON COLUMN mart.position_change.has_ex_date IS
  'Whether an ex-date of the symbol (mart.adjustment_event) lies in between: new shares may then explain '
  'the residual.';
