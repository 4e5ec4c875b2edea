-- grain: one row per underlying and session on which the contract of the rolled future has a daily summary
-- of_roll: when the next contract is taken. 'expiry': the contract with the nearest last trading date that is
-- not past is held through its last session. 'volume', 'open_interest': the next contract is taken on the
-- session after the first one in which it had more matched volume or open interest than the nearest one; at
-- the latest after the last session of that one, and never back. What a session ends with decides the next
-- session, so that a backtest knows it in time.
-- of_adjustment: how earlier prices are joined to the latest contract stored. 'ratio': times the price of the
-- incoming / that of the outgoing contract; returns stay as they were. 'difference': plus the price of the
-- incoming - that of the outgoing one; points stay as they were, and prices long ago may fall below 0.
-- Both prices of a roll are closes of the last session before it. Where one of them has no close that
-- session, both are settlement prices of it; where they have none either, those of the latest session of the
-- week before that has a pair: roll_price and roll_priced_on name what was taken. Else the roll is not known:
-- it moves nothing, and all rows before it show that (is_roll_known). Where a session has rows of the old and
-- the new code of a contract, the one with more volume counts (the present code where they have the same).
CREATE OR REPLACE MACRO mart.futures_rolled(of_roll, of_adjustment) AS TABLE
WITH choice AS (
  SELECT
    CASE WHEN of_roll IN ('expiry', 'volume', 'open_interest') THEN of_roll
      ELSE error('a roll is expiry, volume or open_interest, not ' || coalesce(of_roll, 'NULL'))
    END AS roll_rule,
    CASE WHEN of_adjustment IN ('ratio', 'difference') THEN of_adjustment
      ELSE error('an adjustment is ratio or difference, not ' || coalesce(of_adjustment, 'NULL'))
    END AS adjustment
), contract AS (
  SELECT contract, underlying, last_trading_date,
    coalesce(lag(last_trading_date) OVER expiry, DATE '0001-01-01') AS last_before,
    row_number() OVER expiry AS position
  FROM (SELECT contract, underlying, max(last_trading_date) AS last_trading_date FROM mart.futures_alias
    GROUP BY contract, underlying)
  WINDOW expiry AS (PARTITION BY underlying ORDER BY last_trading_date, contract)
), quote AS (
  SELECT DISTINCT ON (alias.underlying, alias.contract, summary.trading_date)
    alias.underlying, alias.contract, summary.symbol, summary.trading_date,
    nullif(summary.open, 0) AS open, nullif(summary.high, 0) AS high, nullif(summary.low, 0) AS low,
    CASE WHEN summary.close > 0 THEN summary.close END AS close,
    CASE WHEN summary.settlement_price > 0 THEN summary.settlement_price END AS settlement_price,
    summary.total_match, summary.open_interest
  FROM market.daily_summary summary JOIN mart.futures_alias alias ON alias.symbol = summary.symbol
  ORDER BY alias.underlying, alias.contract, summary.trading_date,
    coalesce(summary.total_match, 0) DESC, alias.code_scheme DESC, summary.symbol
), contract_quote AS (
  SELECT quote.*, contract.position, contract.last_trading_date,
    CASE (SELECT roll_rule FROM choice)
      WHEN 'volume' THEN quote.total_match
      WHEN 'open_interest' THEN quote.open_interest
    END AS deciding_figure
  FROM quote
  JOIN contract ON contract.contract = quote.contract AND contract.underlying = quote.underlying
), nearest_contract AS (
  SELECT session.underlying, session.trading_date, contract.position
  FROM (SELECT DISTINCT underlying, trading_date FROM quote) session
  JOIN contract ON contract.underlying = session.underlying
    AND session.trading_date > contract.last_before AND session.trading_date <= contract.last_trading_date
), leading_contract AS (
  SELECT nearest_contract.underlying, nearest_contract.trading_date, nearest_contract.position AS nearest,
    nearest_contract.position
      + CASE WHEN following.deciding_figure > nearest.deciding_figure THEN 1 ELSE 0 END AS leader
  FROM nearest_contract
  LEFT JOIN contract_quote nearest ON nearest.underlying = nearest_contract.underlying
    AND nearest.trading_date = nearest_contract.trading_date AND nearest.position = nearest_contract.position
  LEFT JOIN contract_quote following ON following.underlying = nearest_contract.underlying
    AND following.trading_date = nearest_contract.trading_date
    AND following.position = nearest_contract.position + 1
), held_contract AS (
  SELECT underlying, trading_date,
    greatest(nearest, max(leader) OVER (PARTITION BY underlying
      ORDER BY trading_date ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS position
  FROM leading_contract
), front_session AS (
  SELECT quote.*,
    lag(quote.contract) OVER history AS contract_before,
    lag(quote.trading_date) OVER history AS session_before
  FROM contract_quote quote
  JOIN held_contract ON held_contract.underlying = quote.underlying
    AND held_contract.trading_date = quote.trading_date AND held_contract.position = quote.position
  WINDOW history AS (PARTITION BY quote.underlying ORDER BY quote.trading_date)
), roll_pair AS (
  SELECT roll.underlying, roll.trading_date, outgoing.trading_date AS priced_on,
    incoming.close > 0 AND outgoing.close > 0 AS has_closes,
    CASE WHEN has_closes THEN incoming.close ELSE incoming.settlement_price END AS price_in,
    CASE WHEN has_closes THEN outgoing.close ELSE outgoing.settlement_price END AS price_out
  FROM front_session roll
  JOIN quote outgoing ON outgoing.contract = roll.contract_before
    AND outgoing.trading_date <= roll.session_before AND outgoing.trading_date > roll.session_before - 7
  JOIN quote incoming ON incoming.contract = roll.contract AND incoming.trading_date = outgoing.trading_date
  WHERE roll.contract_before <> roll.contract
), roll_price AS (
  SELECT underlying, trading_date, max(priced_on) AS priced_on,
    CASE WHEN arg_max(coalesce(has_closes, false), priced_on) THEN 'close'
      ELSE 'settlement_price' END AS price,
    arg_max(CAST(price_in AS DOUBLE) / CAST(price_out AS DOUBLE), priced_on) AS ratio,
    -- exact, and wide enough for any two prices
    arg_max(CAST(price_in AS DECIMAL(24,6)) - price_out, priced_on) AS difference
  FROM roll_pair
  WHERE price_in > 0 AND price_out > 0
  GROUP BY underlying, trading_date
), roll AS (
  SELECT front_session.underlying, front_session.trading_date,
    roll_price.* EXCLUDE (underlying, trading_date),
    product(coalesce(roll_price.ratio, 1)) OVER later AS later_ratio,
    sum(coalesce(roll_price.difference, 0)) OVER later AS later_difference,
    bool_and(roll_price.ratio IS NOT NULL) OVER later AS is_known
  FROM front_session
  LEFT JOIN roll_price
    ON roll_price.underlying = front_session.underlying
      AND roll_price.trading_date = front_session.trading_date
  WHERE front_session.contract_before <> front_session.contract
  WINDOW later AS (PARTITION BY front_session.underlying
    ORDER BY front_session.trading_date DESC ROWS UNBOUNDED PRECEDING)
)
SELECT front_session.underlying, front_session.trading_date, choice.roll_rule, choice.adjustment,
  front_session.contract, front_session.symbol, front_session.last_trading_date,
  coalesce(front_session.contract_before <> front_session.contract, false) AS is_roll,
  current_roll.price AS roll_price, current_roll.priced_on AS roll_priced_on,
  current_roll.ratio AS roll_ratio, CAST(current_roll.difference AS DOUBLE) AS roll_difference,
  coalesce(later.is_known, true) AS is_roll_known,
  CASE WHEN choice.adjustment = 'ratio' THEN coalesce(later.later_ratio, 1) ELSE 1.0 END AS adjustment_factor,
  CASE WHEN choice.adjustment = 'difference' THEN CAST(coalesce(later.later_difference, 0) AS DOUBLE)
    ELSE 0.0 END AS adjustment_points,
  CAST(front_session.open AS DOUBLE) * adjustment_factor + adjustment_points AS open_adjusted,
  CAST(front_session.high AS DOUBLE) * adjustment_factor + adjustment_points AS high_adjusted,
  CAST(front_session.low AS DOUBLE) * adjustment_factor + adjustment_points AS low_adjusted,
  CAST(front_session.close AS DOUBLE) * adjustment_factor + adjustment_points AS close_adjusted,
  CAST(front_session.settlement_price AS DOUBLE) * adjustment_factor
    + adjustment_points AS settlement_price_adjusted,
  front_session.open, front_session.high, front_session.low, front_session.close,
  front_session.settlement_price, front_session.total_match, front_session.open_interest
FROM front_session
CROSS JOIN choice
LEFT JOIN roll current_roll
  ON current_roll.underlying = front_session.underlying
    AND current_roll.trading_date = front_session.trading_date
ASOF LEFT JOIN roll later
  ON later.underlying = front_session.underlying AND front_session.trading_date < later.trading_date;
COMMENT ON MACRO TABLE mart.futures_rolled IS
  'One future without gaps: rolled by expiry, volume or open_interest (first argument), joined by ratio or '
  'difference (second). Columns as in mart.futures_continuous, which is futures_rolled(''expiry'', '
  '''ratio'').';
