-- grain: one row per symbol and session to check that has a daily summary: the summary, its price limit, the
--   kind and board of the symbol, and its summary before
CREATE OR REPLACE TEMP TABLE audit_day AS
WITH recent_summary AS (
  SELECT symbol, trading_date, open, high, low, close, average, total_match, total_match_value,
    settlement_price, remain_foreign_room
  FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
), session_summary AS (
  SELECT summary.*, audit_session.previous_date, mart.instrument_kind(summary.symbol, NULL) AS kind_by_code
  FROM market.daily_summary summary JOIN audit_session USING (trading_date)
  WHERE summary.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
), band AS (
  SELECT symbol, trading_date, upper(exchange) AS exchange, ceiling, floor, ref_price
  FROM market.price_limit SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
), paired AS (
  SELECT session_summary.* EXCLUDE (kind_by_code),
    band.exchange, band.ceiling, band.floor, band.ref_price,
    coalesce(instrument.kind, kind_by_code) AS kind,
    -- the board of that day where its price limits name it, since symbols move; futures trade beside HNX
    CASE
      WHEN coalesce(instrument.kind, kind_by_code) = 'future' THEN 'DERIVATIVE'
      WHEN band.exchange IN ('HOSE', 'HNX', 'UPCOM') THEN band.exchange
      ELSE instrument.board
    END AS board,
    mart.multiplier(symbol) AS multiplier,
    summary_before.trading_date AS before_date, summary_before.open AS before_open,
    summary_before.high AS before_high, summary_before.low AS before_low,
    summary_before.close AS before_close, summary_before.average AS before_average,
    summary_before.total_match AS before_match,
    summary_before.total_match_value AS before_value, summary_before.settlement_price AS before_settlement,
    summary_before.remain_foreign_room AS before_room
  FROM session_summary
  LEFT JOIN band USING (symbol, trading_date)
  LEFT JOIN instrument USING (symbol, trading_date)
  ASOF LEFT JOIN recent_summary summary_before
    ON summary_before.symbol = session_summary.symbol
      AND session_summary.trading_date > summary_before.trading_date
)
-- A summary from before the days that are looked back at is none.
SELECT * REPLACE (
  CASE WHEN trading_date - before_date <= getvariable('audit_back') THEN before_open END AS before_open,
  CASE WHEN trading_date - before_date <= getvariable('audit_back') THEN before_high END AS before_high,
  CASE WHEN trading_date - before_date <= getvariable('audit_back') THEN before_low END AS before_low,
  CASE WHEN trading_date - before_date <= getvariable('audit_back') THEN before_close END AS before_close,
  CASE WHEN trading_date - before_date <= getvariable('audit_back') THEN before_average END AS before_average,
  CASE WHEN trading_date - before_date <= getvariable('audit_back') THEN before_match END AS before_match,
  CASE WHEN trading_date - before_date <= getvariable('audit_back') THEN before_value END AS before_value,
  CASE WHEN trading_date - before_date <= getvariable('audit_back')
    THEN before_settlement END AS before_settlement,
  CASE WHEN trading_date - before_date <= getvariable('audit_back') THEN before_room END AS before_room,
  CASE WHEN trading_date - before_date <= getvariable('audit_back') THEN before_date END AS before_date
)
FROM paired;
