-- grain: one row per stock or fund and session with a daily summary, in the order of both
-- Prices are raw, VND; null where nothing matched, when the service repeats the last close: nobody could have
-- traded at it. factor times a price is the price of mart.daily_adjusted. event_factor: what prices before
-- this session are multiplied by on its account, 1 on most; share_factor: the part of it that is from shares,
-- all of it where no declaration says so. $is_member as in instruments.sql.
WITH member_day AS (
  SELECT symbol, trading_date, total_match > 0 AS is_traded,
    open, high, low, close, average, total_match, total_match_value, adjustment_factor
  FROM mart.daily_adjusted
  WHERE trading_date BETWEEN $first_day AND $last_day
    AND mart.instrument_kind(symbol, NULL) IN ('stock', 'etf') AND $is_member
), day AS (
  -- of every event since the session before, also where the ex-date has no row
  SELECT member_day.*, coalesce(later.cumulative_share_factor, 1) AS later_share_factor,
    lag(adjustment_factor) OVER sessions AS factor_before,
    lag(later_share_factor) OVER sessions AS share_factor_before
  FROM member_day
  LEFT JOIN mart.adjustment_factor later ON later.symbol = member_day.symbol
    AND member_day.trading_date >= later.applies_from AND member_day.trading_date < later.ex_date
  WINDOW sessions AS (PARTITION BY member_day.symbol ORDER BY member_day.trading_date)
)
SELECT day.symbol,
  CAST(day.trading_date AS VARCHAR) AS session,
  CASE WHEN is_traded THEN CAST(open AS DOUBLE) END AS open,
  CASE WHEN is_traded THEN CAST(high AS DOUBLE) END AS high,
  CASE WHEN is_traded THEN CAST(low AS DOUBLE) END AS low,
  CASE WHEN is_traded THEN CAST(close AS DOUBLE) END AS close,
  CASE WHEN is_traded THEN CAST(average AS DOUBLE) END AS average,
  CAST(total_match AS DOUBLE) AS volume,
  CAST(total_match_value AS DOUBLE) AS value,
  adjustment_factor AS factor,
  coalesce(factor_before / adjustment_factor, 1) AS event_factor,
  coalesce(share_factor_before / later_share_factor, 1) AS share_factor,
  CASE WHEN is_traded THEN close >= band.ceiling END AS is_at_ceiling,
  CASE WHEN is_traded THEN close <= band.floor END AS is_at_floor
FROM day
LEFT JOIN market.price_limit band USING (symbol, trading_date)
ORDER BY day.symbol, session
