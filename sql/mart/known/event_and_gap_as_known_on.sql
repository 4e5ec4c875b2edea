-- grain: one row per adjustment event and one per gap between two sessions, as they were known at the instant
-- is_gap: a row of mart.chain_gap, on the day after the gap and with its reason alone; else a row of
-- mart.adjustment_event. Together, since both rest on the breaks of then: computing these for each took three
-- times as long. What asks for one of the two does not compute the other.
-- An event depends on the rows of the 60 days before it and the 45 after it (mart.reference_basis,
-- mart.corporate_event). Events and gaps before the first row that changed or came since are those that are
-- stored. Coverage has no history: a session that was still incomplete then counts as it does now.
CREATE OR REPLACE MACRO mart.event_and_gap_as_known_on(instant) AS TABLE
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
  SELECT coalesce(min(day), DATE '9999-12-31') - 45 AS first_event, min(day) - 105 AS first_source
  FROM later_row
), source_day AS (
  -- days that are joined, not compared: without any, nothing is read
  SELECT first_source + CAST(days AS INTEGER) AS trading_date FROM first_change, range(40000) since(days)
), bands_then AS (
  SELECT symbol, trading_date, exchange, ceiling, floor, ref_price
  FROM mart.price_limit_as_known_on(instant) SEMI JOIN source_day USING (trading_date)
), summaries_then AS (
  SELECT symbol, trading_date, high, low, close, average, settlement_price, total_match
  FROM mart.daily_summary_as_known_on(instant) SEMI JOIN source_day USING (trading_date)
), actions_then AS (
  FROM mart.corporate_action_as_known_on(instant)
), breaks_then AS (
  FROM mart.reference_break('bands_then', 'summaries_then', DATE '1990-01-01', DATE '2199-12-31')
), event_then AS (
  FROM mart.corporate_event('breaks_then', 'bands_then', 'summaries_then', 'actions_then', DATE '1990-01-01',
    DATE '2199-12-31')
  WHERE ex_date >= (SELECT first_event FROM first_change)
  UNION ALL
  SELECT symbol, ex_date, basis_date, previous_basis, ref_price, factor, basis_kind, state, kinds,
    observed_factor, declared_factor, share_factor, remark
  FROM mart.adjustment_event
  WHERE ex_date < (SELECT first_event FROM first_change)
), gap_then AS (
  FROM mart.unknown_link('breaks_then', 'event_then', 'bands_then', 'summaries_then', DATE '1990-01-01',
    DATE '2199-12-31')
  WHERE trading_date >= (SELECT first_event FROM first_change)
  UNION ALL
  SELECT symbol, trading_date, reason
  FROM mart.chain_gap
  WHERE trading_date < (SELECT first_event FROM first_change)
)
SELECT *, false AS is_gap, NULL::VARCHAR AS reason FROM event_then
UNION ALL BY NAME
SELECT symbol, trading_date AS ex_date, true AS is_gap, reason FROM gap_then;
COMMENT ON MACRO TABLE mart.event_and_gap_as_known_on IS
  'Corporate actions and the gaps between sessions as they were known at an instant: part of the as_known_on '
  'macros.';
