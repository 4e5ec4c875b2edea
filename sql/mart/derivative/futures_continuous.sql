-- grain: one row per underlying and session on which its front contract has a daily summary
-- Roll rule: the front contract is the one with the nearest last trading date that is not past. It is held
-- through its last session; the next one is taken on the session after. Where a session has rows of the old
-- and the new code of the contract, the one with more volume counts (the present code where they have the
-- same). Ratio-adjusted to the latest contract stored: prices before a roll times close of the incoming /
-- close of the outgoing contract on the last session of the outgoing one that is stored. Where one of them
-- has no close that session, both settlement prices of it; where they have none either, the latest session of
-- the week before that has a pair. Else the ratio is not known: 1 is used, and all rows before it show that
-- (is_roll_known).
CREATE OR REPLACE VIEW mart.futures_continuous AS
WITH contract AS (
  SELECT contract, underlying, last_trading_date,
    lag(last_trading_date, 1, DATE '0001-01-01') OVER (PARTITION BY underlying
      ORDER BY last_trading_date, contract) AS last_before
  FROM (SELECT contract, underlying, max(last_trading_date) AS last_trading_date FROM mart.futures_alias
    GROUP BY contract, underlying)
), quote AS (
  SELECT DISTINCT ON (alias.underlying, alias.contract, summary.trading_date)
    alias.underlying, alias.contract, summary.symbol, summary.trading_date,
    nullif(summary.open, 0) AS open, nullif(summary.high, 0) AS high, nullif(summary.low, 0) AS low,
    CASE WHEN summary.close > 0 THEN summary.close END AS close,
    CASE WHEN summary.settlement_price > 0 THEN summary.settlement_price END AS settlement_price,
    summary.total_match, summary.open_interest
  FROM market.daily_summary summary JOIN mart.futures_alias alias ON alias.symbol = summary.symbol
  WHERE upper(left(summary.symbol, 2)) IN ('41', 'VN')
  ORDER BY alias.underlying, alias.contract, summary.trading_date,
    coalesce(summary.total_match, 0) DESC, alias.code_scheme DESC, summary.symbol
), front_session AS (
  SELECT quote.*, contract.last_trading_date,
    lag(quote.contract) OVER history AS contract_before,
    lag(quote.trading_date) OVER history AS session_before
  FROM quote
  JOIN contract ON contract.contract = quote.contract AND contract.underlying = quote.underlying
    AND quote.trading_date > contract.last_before AND quote.trading_date <= contract.last_trading_date
  WINDOW history AS (PARTITION BY quote.underlying ORDER BY quote.trading_date)
), roll_price AS (
  SELECT roll.underlying, roll.trading_date,
    arg_max(CASE WHEN incoming.close > 0 AND outgoing.close > 0
      THEN CAST(incoming.close AS DOUBLE) / CAST(outgoing.close AS DOUBLE)
      ELSE CAST(incoming.settlement_price AS DOUBLE) / CAST(outgoing.settlement_price AS DOUBLE) END,
        outgoing.trading_date) AS ratio
  FROM front_session roll
  JOIN quote outgoing ON outgoing.contract = roll.contract_before
    AND outgoing.trading_date <= roll.session_before AND outgoing.trading_date > roll.session_before - 7
  JOIN quote incoming ON incoming.contract = roll.contract AND incoming.trading_date = outgoing.trading_date
  WHERE roll.contract_before <> roll.contract
    AND (incoming.close > 0 AND outgoing.close > 0 OR incoming.settlement_price > 0
      AND outgoing.settlement_price > 0)
  GROUP BY roll.underlying, roll.trading_date
), roll AS (
  SELECT front_session.underlying, front_session.trading_date, roll_price.ratio,
    product(coalesce(roll_price.ratio, 1)) OVER later AS cumulative_ratio,
    bool_and(roll_price.ratio IS NOT NULL) OVER later AS is_known
  FROM front_session
  LEFT JOIN roll_price
    ON roll_price.underlying = front_session.underlying
      AND roll_price.trading_date = front_session.trading_date
  WHERE front_session.contract_before <> front_session.contract
  WINDOW later AS (PARTITION BY front_session.underlying
    ORDER BY front_session.trading_date DESC ROWS UNBOUNDED PRECEDING)
)
SELECT front_session.underlying, front_session.trading_date, front_session.contract, front_session.symbol,
  front_session.last_trading_date,
  coalesce(front_session.contract_before <> front_session.contract, false) AS is_roll,
  current_roll.ratio AS roll_ratio,
  coalesce(later.is_known, true) AS is_roll_known,
  coalesce(later.cumulative_ratio, 1) AS adjustment_factor,
  CAST(front_session.open AS DOUBLE) * adjustment_factor AS open_adjusted,
  CAST(front_session.high AS DOUBLE) * adjustment_factor AS high_adjusted,
  CAST(front_session.low AS DOUBLE) * adjustment_factor AS low_adjusted,
  CAST(front_session.close AS DOUBLE) * adjustment_factor AS close_adjusted,
  CAST(front_session.settlement_price AS DOUBLE) * adjustment_factor AS settlement_price_adjusted,
  front_session.open, front_session.high, front_session.low, front_session.close,
  front_session.settlement_price, front_session.total_match, front_session.open_interest
FROM front_session
LEFT JOIN roll current_roll
  ON current_roll.underlying = front_session.underlying
    AND current_roll.trading_date = front_session.trading_date
ASOF LEFT JOIN roll later
  ON later.underlying = front_session.underlying AND front_session.trading_date < later.trading_date;
COMMENT ON VIEW mart.futures_continuous IS
  'One row per underlying and session: the front contract, held through its last trading date, with prices '
  'as they were and ratio-adjusted to the latest contract stored.';
COMMENT ON COLUMN mart.futures_continuous.underlying IS 'Index: VN30.';
COMMENT ON COLUMN mart.futures_continuous.trading_date IS
  'Trading date, exchange calendar (UTC+7). A session that the front contract has no summary of has no row.';
COMMENT ON COLUMN mart.futures_continuous.contract IS
  'Front contract: nearest last trading date that is not past.';
COMMENT ON COLUMN mart.futures_continuous.symbol IS
  'Code under which it was quoted; of two on one session the one with more volume.';
COMMENT ON COLUMN mart.futures_continuous.is_roll IS
  'Whether the contract is another than on the session before: the first session after the last one of the '
  'outgoing contract. False on the first session stored.';
COMMENT ON COLUMN mart.futures_continuous.roll_ratio IS
  'On a roll: price of the incoming / price of the outgoing contract, on the last session of the outgoing '
  'one; null on other sessions, and where no pair of prices is stored.';
COMMENT ON COLUMN mart.futures_continuous.is_roll_known IS
  'Whether the ratios of all later rolls are known; false: 1 replaces one of them, and adjusted prices do '
  'not compare across it.';
COMMENT ON COLUMN mart.futures_continuous.adjustment_factor IS
  'Product of the ratios of all later rolls; 1 for the latest contract stored.';
COMMENT ON COLUMN mart.futures_continuous.open_adjusted IS
  'open x adjustment_factor: points of the latest contract.';
COMMENT ON COLUMN mart.futures_continuous.settlement_price_adjusted IS
  'settlement_price x adjustment_factor.';
COMMENT ON COLUMN mart.futures_continuous.open IS
  'First price matched, index points, raw; null where none was.';
COMMENT ON COLUMN mart.futures_continuous.close IS 'Last price matched, raw; null where none was.';
COMMENT ON COLUMN mart.futures_continuous.settlement_price IS
  'Settlement price of the session, index points, raw; null where none was reported.';
COMMENT ON COLUMN mart.futures_continuous.total_match IS 'Matched volume of the front contract, contracts.';
COMMENT ON COLUMN mart.futures_continuous.open_interest IS
  'Open interest of the front contract, contracts; null where none was reported.';
