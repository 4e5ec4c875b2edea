-- grain: one row per daily summary and per fetched bar with all four prices above zero
-- rule: 1
-- title: low ≤ open and close ≤ high
-- severity: error; warn on UPCOM
-- about: market
-- reach: back 0 days, forward 0 days, securities
-- needs: a daily summary or a bar with all four prices above zero
-- silence: no bar of the session has four prices: where symbols traded, summaries or bars have lost their
--   prices, and nothing shows that they are whole
-- why: prices of one bar come from the same trades. Daily figures do not where a day has odd lots alone:
--   these make open, high and low, while the official close stays. Since April 2024 38,026 of 38,141 daily
--   rows hold; of the 115 others 99 are of UPCOM, and 95 % matched less than 100 shares (median 4). Before,
--   33,366 of 3,015,630 do not hold, which were not measured by board
-- evidence: HOSE 30,638 of 30,638 of 29 VN30 names (2020 to 2025), at most 16 breaks in 38,141 rows of all
--   boards; HNX not measured alone, at most 16 breaks in 38,141 rows of all boards; UPCOM 99 breaks in 38,141
--   rows of all boards; DERIVATIVE not measured
-- tolerance: none for a low above the high, which no trade explains. An open or a close beyond them is a
--   warning on UPCOM, and soft where less than one lot of 100 was matched in the session (not for futures,
--   whose lot is one) and before April 2024. Minute bars have no such close: none on any board
WITH bar_prices AS (
  SELECT trading_date, 'market.daily_summary' AS relation, symbol, NULL AS timeframe, NULL AS opened_at,
    open, high, low, close, total_match AS volume
  FROM audit_day
  UNION ALL
  SELECT trading_date, 'market.candle', symbol, timeframe, opened_at, open, high, low, close, volume
  FROM market.candle SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
), unordered_bar AS (
  SELECT *, low <= high AND coalesce(timeframe, '1d') = '1d' AS may_be_odd_lots
  FROM bar_prices
  WHERE open > 0 AND high > 0 AND low > 0 AND close > 0
    AND NOT (low <= least(open, close) AND greatest(open, close) <= high)
), session_board AS (
  -- the board of that day where its price limits name it, since symbols move
  SELECT unordered_bar.symbol, unordered_bar.trading_date,
    any_value(coalesce(instrument.kind, mart.instrument_kind(unordered_bar.symbol, NULL))) AS kind,
    any_value(CASE WHEN upper(band.exchange) IN ('HOSE', 'HNX', 'UPCOM') THEN upper(band.exchange)
      ELSE instrument.board END) AS exchange
  FROM unordered_bar
  LEFT JOIN market.price_limit band
    ON band.symbol = unordered_bar.symbol AND band.trading_date = unordered_bar.trading_date
      AND band.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  LEFT JOIN instrument
    ON instrument.symbol = unordered_bar.symbol AND instrument.trading_date = unordered_bar.trading_date
  GROUP BY unordered_bar.symbol, unordered_bar.trading_date
), checked_bar AS (
  SELECT *, NULL AS board, 'pass' AS result
  FROM bar_prices
  WHERE open > 0 AND high > 0 AND low > 0 AND close > 0
    AND low <= least(open, close) AND greatest(open, close) <= high
  UNION ALL BY NAME
  SELECT unordered_bar.* EXCLUDE (may_be_odd_lots),
    CASE WHEN may_be_odd_lots AND kind <> 'future' THEN exchange END AS board,
    CASE
      WHEN may_be_odd_lots AND kind <> 'future' AND volume BETWEEN 1 AND 99 THEN 'soft'
      WHEN may_be_odd_lots AND trading_date < DATE '2024-04-01' THEN 'soft'
      ELSE 'break'
    END AS result
  FROM unordered_bar LEFT JOIN session_board USING (symbol, trading_date)
)
SELECT trading_date, 'market' AS subject, relation,
  CASE
    WHEN timeframe IS NULL THEN day_key(symbol, trading_date)
    ELSE bar_key(symbol, timeframe, opened_at)
  END AS key,
  'low ' || as_text(least(open, low, close)) || ', high ' || as_text(greatest(open, high, close)) AS expected,
  'low ' || as_text(low) || ', high ' || as_text(high) || CASE WHEN result = 'soft' AND volume < 100
    THEN ', odd lots: ' || volume || ' matched' ELSE '' END AS actual,
  greatest(low - least(open, close), greatest(open, close) - high) AS residual,
  board, result
FROM checked_bar
