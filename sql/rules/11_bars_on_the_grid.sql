-- grain: one row per fetched bar
-- rule: 11
-- title: no bar while the market is closed, and one bar per symbol, timeframe and opening
-- severity: error
-- about: market
-- reach: back 0 days, forward 0 days
-- per: symbol
-- needs: a bar
-- silence: where bars of traded symbols were answered, none is stored: nothing shows that they are of the
--   session
-- why: a bar at noon is a wrong time zone, a shifted column or another day's; readers would see trading in
--   the lunch break. Bars are labelled by their start and anchored to the clock; 11:30, 14:30, auction and
--   post-close minutes appear in some feeds only (docs/market-facts.md#minute-bars). Live feeds print minutes
--   within the auctions too: 3 of 474 bars of a real session (08:50 and 08:52 of a future), so every minute
--   of a phase holds. Hours of another board, and the five minutes around a phase (late prints), are odd but
--   possible: soft. A break is only a minute at which no board trades; none of
--   the real bars of 2020 to 2025 stood there
-- evidence: 100 % of 474 bars of one session, DERIVATIVE, days not recorded,
--   docs/market-facts.md#pass-rates
-- evidence: 100 % of an unknown number of bars, HOSE, 2020..2025, docs/market-facts.md#pass-rates
-- evidence: none measured, HNX
-- evidence: none measured, UPCOM
-- tolerance: the grid of any board where the price limits do not report the board of that day, since symbols
--   move; hours of before 2020 were not measured: soft
WITH fetched_bar AS NOT MATERIALIZED (
  SELECT symbol, timeframe, trading_date, opened_at,
    -- minute of the day in exchange time (UTC+7); seconds leave the grid
    CAST((epoch_ms(opened_at) + 25200000) % 86400000 AS DOUBLE) / 60000 AS minute
  FROM audit_candle
), fetched_session AS (
  SELECT symbol, timeframe, trading_date, count(*) AS bars,
    bit_count(bitstring_agg(CAST(greatest(0, least(floor(minute), 1439)) AS INTEGER), 0, 1439)) AS minutes
  FROM fetched_bar
  GROUP BY symbol, timeframe, trading_date
), repeated_bar AS (
  -- a bar can come twice only where there are more bars than minutes: grouping all bars by their key took the
  -- most memory of a backfill
  SELECT symbol, timeframe, trading_date, opened_at, minute, count(*) AS bars
  FROM fetched_bar
  SEMI JOIN (FROM fetched_session WHERE bars > minutes) USING (symbol, timeframe, trading_date)
  GROUP BY ALL
  HAVING count(*) > 1
), session_board AS (
  SELECT session.symbol, session.timeframe, session.trading_date,
    CASE
      WHEN mart.instrument_kind(session.symbol, NULL) = 'future' THEN 'DERIVATIVE'
      WHEN upper(band.exchange) IN ('HOSE', 'HNX', 'UPCOM') THEN upper(band.exchange)
      ELSE 'any board'
    END AS board
  FROM fetched_session session
  LEFT JOIN market.price_limit band
    ON band.symbol = session.symbol AND band.trading_date = session.trading_date
      AND band.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
), bar AS (
  SELECT single.*, board
  FROM (
    SELECT *, 1 AS bars
    FROM fetched_bar ANTI JOIN repeated_bar USING (symbol, timeframe, trading_date, opened_at)
    UNION ALL
    FROM repeated_bar
  ) single
  JOIN session_board USING (symbol, timeframe, trading_date)
), length(timeframe, width) AS (
  VALUES ('1m', 1), ('3m', 3), ('5m', 5), ('15m', 15), ('30m', 30), ('1h', 60)
), trading_phase AS (
  -- a phase of put-through deals makes no bars
  SELECT board, starts, ends FROM session_phase WHERE phase <> 'deal'
), board_phase AS (
  FROM trading_phase
  UNION ALL
  SELECT 'any board', starts, ends FROM trading_phase WHERE board <> 'DERIVATIVE'
), phase_minute AS (
  SELECT DISTINCT board, unnest(range(starts, ends + 1)) AS minute FROM board_phase
), open_minute AS (
  SELECT DISTINCT unnest(range(starts - 5, ends + 6)) AS minute FROM trading_phase
), grid_minute AS (
  SELECT DISTINCT board, timeframe, minute - minute % width AS minute FROM phase_minute CROSS JOIN length
), possible_minute AS (
  SELECT DISTINCT timeframe, minute - minute % width AS minute FROM open_minute CROSS JOIN length
), known_minute AS (
  SELECT board, timeframe, CAST(minute AS DOUBLE) AS minute, true AS is_on_grid FROM grid_minute
  UNION ALL
  SELECT board, timeframe, minute, false
  FROM possible_minute CROSS JOIN (SELECT DISTINCT board FROM session_board)
    ANTI JOIN grid_minute USING (board, timeframe, minute)
)
SELECT trading_date, 'market' AS subject, 'market.candle' AS relation,
  bar_key(symbol, bar.timeframe, opened_at) AS key,
  'one bar on the grid of ' || bar.board AS expected,
  CASE
    WHEN bars > 1 THEN bars || ' bars'
    ELSE strftime(make_timestamp(epoch_us(opened_at) + 25200000000), '%H:%M:%S')
  END AS actual,
  NULL AS residual,
  CASE
    WHEN bars > 1 THEN 'break'
    WHEN bar.timeframe = '1d' THEN CASE WHEN bar.minute = 0 THEN 'pass' ELSE 'break' END
    WHEN is_on_grid THEN 'pass'
    WHEN is_on_grid IS NOT NULL OR trading_date < DATE '2020-01-01' THEN 'soft'
    ELSE 'break'
  END AS result
FROM bar
LEFT JOIN known_minute USING (board, timeframe, minute)
