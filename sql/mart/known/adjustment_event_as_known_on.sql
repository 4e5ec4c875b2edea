-- grain: one row per symbol and ex_date of the corporate actions that reference prices and declarations
--   showed at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). Vintages of factors: limits,
-- summaries and declarations as the warehouse had them then, compared as now. What came later, and what was
-- restated since, is not in it. Coverage has no history: a session that was still incomplete then counts as
-- it does now.
-- An event depends on the rows of the 60 days before it and the 15 after it (mart.reference_basis,
-- mart.corporate_event). Events before the first row that changed or came since are those that are stored.
CREATE OR REPLACE MACRO mart.adjustment_event_as_known_on(instant) AS TABLE
WITH later_row AS (
  SELECT trading_date AS day FROM market.price_limit WHERE loaded_at > CAST(instant AS TIMESTAMPTZ)
  UNION ALL
  SELECT trading_date FROM market.daily_summary WHERE loaded_at > CAST(instant AS TIMESTAMPTZ)
  UNION ALL
  SELECT ex_date FROM market.corporate_action WHERE loaded_at > CAST(instant AS TIMESTAMPTZ)
  UNION ALL
  SELECT CAST(coalesce(json_extract_string(key, '$.trading_date'),
    json_extract_string(key, '$.ex_date')) AS DATE)
  FROM market.revision
  WHERE relation IN ('market.price_limit', 'market.daily_summary', 'market.corporate_action')
    AND observed_at > CAST(instant AS TIMESTAMPTZ)
), first_change AS (
  SELECT coalesce(min(day), DATE '9999-12-31') - 15 AS first_event, min(day) - 75 AS first_source
  FROM later_row
), source_day AS (
  -- days that are joined, not compared: without any, nothing is read
  SELECT first_source + CAST(days AS INTEGER) AS trading_date FROM first_change, range(40000) since(days)
), bands_then AS (
  SELECT symbol, trading_date, exchange, ceiling, floor, ref_price
  FROM mart.price_limit_as_known_on(instant) SEMI JOIN source_day USING (trading_date)
), summaries_then AS (
  SELECT symbol, trading_date, close, average, settlement_price, total_match
  FROM mart.daily_summary_as_known_on(instant) SEMI JOIN source_day USING (trading_date)
), actions_then AS (
  FROM mart.corporate_action_as_known_on(instant)
), breaks_then AS (
  FROM mart.reference_break('bands_then', 'summaries_then', DATE '1990-01-01', DATE '2199-12-31')
)
FROM mart.corporate_event('breaks_then', 'summaries_then', 'actions_then', DATE '1990-01-01',
  DATE '2199-12-31')
WHERE ex_date >= (SELECT first_event FROM first_change)
UNION ALL
SELECT symbol, ex_date, basis_date, previous_basis, ref_price, factor, basis_kind, state, kinds,
  observed_factor, declared_factor, share_factor, remark
FROM mart.adjustment_event
WHERE ex_date < (SELECT first_event FROM first_change);
COMMENT ON MACRO TABLE mart.adjustment_event_as_known_on IS
  'Corporate actions as reference prices and declarations showed them at an instant: what a backtest could '
  'have known.';
