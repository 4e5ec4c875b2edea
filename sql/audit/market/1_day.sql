-- grain: one row per symbol and session to judge that has a daily summary: the summary, its price limit, the kind and
-- board of the symbol, and its summary before
CREATE OR REPLACE TEMP TABLE judged_day AS
WITH recent AS (
  SELECT symbol, trading_date, open, high, low, close, average, total_match, total_match_value, settlement_price,
    remain_foreign_room
  FROM market.daily_summary
  WHERE trading_date BETWEEN CAST(getvariable('audit_first') - INTERVAL 45 DAY AS DATE) AND getvariable('audit_last')
), today AS (
  SELECT summary.*, audited.previous_date
  FROM market.daily_summary summary JOIN audited USING (trading_date)
  WHERE summary.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
), band AS (
  SELECT symbol, trading_date, upper(exchange) AS exchange, ceiling, floor, ref_price
  FROM market.price_limit SEMI JOIN audited USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
)
SELECT today.*,
  band.exchange, band.ceiling, band.floor, band.ref_price,
  coalesce(instrument.kind, mart.instrument_kind(today.symbol, NULL)) AS kind,
  -- the board of that day where the price limits tell it, since symbols move; futures trade beside HNX
  CASE
    WHEN coalesce(instrument.kind, mart.instrument_kind(today.symbol, NULL)) = 'future' THEN 'DERIVATIVE'
    WHEN band.exchange IN ('HOSE', 'HNX', 'UPCOM') THEN band.exchange
    ELSE instrument.board
  END AS board,
  CASE WHEN coalesce(instrument.kind, mart.instrument_kind(today.symbol, NULL)) = 'future' THEN 100000 ELSE 1 END AS multiplier,
  before.trading_date AS before_date, before.open AS before_open, before.high AS before_high, before.low AS before_low,
  before.close AS before_close, before.average AS before_average, before.total_match AS before_match,
  before.total_match_value AS before_value, before.settlement_price AS before_settlement,
  before.remain_foreign_room AS before_room
FROM today
LEFT JOIN band USING (symbol, trading_date)
LEFT JOIN instrument USING (symbol)
ASOF LEFT JOIN recent before ON before.symbol = today.symbol AND today.trading_date > before.trading_date;
