-- grain: one row per daily summary and per fetched bar with all four prices above zero
-- rule: 1
-- title: low ≤ open and close ≤ high
-- severity: error; warn on UPCOM
-- about: market
-- reach: back 0 days, forward 0 days, securities
-- per: symbol
-- needs: a daily summary or a bar with all four prices above zero
-- silence: no bar of the session has four prices: where symbols traded, summaries or bars have lost their
--   prices, and nothing shows that they are whole
-- why: prices of one bar come from the same trades. Daily figures do not where a day has odd lots alone:
--   these make open, high and low, while the official close stays. Since April 2024 38,026 of 38,141 daily
--   rows hold; of the 115 others 99 are of UPCOM, and 95 % matched less than 100 shares (median 4). Before,
--   33,366 of 3,015,630 do not hold, which were not measured by board
-- evidence: 100 % of 30,638 rows of 29 names, HOSE, 2020..2025, docs/market-facts.md#pass-rates
-- evidence: 99.70 % of 38,141 rows, all boards, 2024-04-01..2025-04-15, docs/market-facts.md#pass-rates
-- evidence: 99.74 % of 38,141 rows of all boards, UPCOM, 2024-04-01..2025-04-15,
--   docs/market-facts.md#pass-rates
-- evidence: 98.89 % of 3,015,630 rows, all boards, ..2024-03-31, docs/market-facts.md#pass-rates
-- evidence: none measured, HNX
-- evidence: none measured, DERIVATIVE
-- tolerance: none for a low above the high, which no trade explains. An open or a close beyond them is a
--   warning on UPCOM, and soft where less was matched in the session than mart.ordered_prices says for its
--   board and day (one lot, of futures one contract), or where nobody has measured that day. Minute bars have
--   no official close: none on any board
WITH bar_prices AS (
  SELECT trading_date, 'market.daily_summary' AS relation, symbol, NULL AS timeframe, NULL AS opened_at,
    open, high, low, close, total_match AS volume
  FROM audit_day
  UNION ALL
  SELECT trading_date, 'market.candle', symbol, timeframe, opened_at, open, high, low, close, volume
  FROM audit_candle
), unordered_bar AS (
  SELECT *, low <= high AND coalesce(timeframe, '1d') = '1d' AS may_be_odd_lots
  FROM bar_prices
  WHERE open > 0 AND high > 0 AND low > 0 AND close > 0
    AND NOT (low <= least(open, close) AND greatest(open, close) <= high)
), session_board AS (
  -- the board of that day where its price limits name it, since symbols move
  SELECT unordered_bar.symbol, unordered_bar.trading_date,
    any_value(mart.trading_board(unordered_bar.symbol, CASE
      WHEN upper(band.exchange) IN ('HOSE', 'HNX', 'UPCOM') THEN band.exchange
      ELSE instrument.board
    END)) AS exchange
  FROM unordered_bar
  LEFT JOIN market.price_limit band
    ON band.symbol = unordered_bar.symbol AND band.trading_date = unordered_bar.trading_date
      AND band.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  LEFT JOIN instrument
    ON instrument.symbol = unordered_bar.symbol AND instrument.trading_date = unordered_bar.trading_date
  GROUP BY unordered_bar.symbol, unordered_bar.trading_date
), board_lot AS (
  -- what no list names is taken as a share of HOSE
  SELECT symbol, trading_date, exchange, coalesce(exchange, 'HOSE') AS lot_board,
    mart.ordered_prices(lot_board, trading_date) * mart.lot_size(lot_board, trading_date) AS least_volume
  FROM session_board
), checked_bar AS (
  SELECT *, NULL AS board, 'pass' AS result, false AS is_below_lot
  FROM bar_prices
  WHERE open > 0 AND high > 0 AND low > 0 AND close > 0
    AND low <= least(open, close) AND greatest(open, close) <= high
  UNION ALL BY NAME
  SELECT unordered_bar.* EXCLUDE (may_be_odd_lots),
    CASE WHEN may_be_odd_lots THEN exchange END AS board,
    coalesce(may_be_odd_lots AND volume > 0 AND volume < least_volume, false) AS is_below_lot,
    CASE
      WHEN may_be_odd_lots AND (is_below_lot OR least_volume IS NULL) THEN 'soft'
      ELSE 'break'
    END AS result
  FROM unordered_bar LEFT JOIN board_lot USING (symbol, trading_date)
)
SELECT trading_date, 'market' AS subject, relation,
  CASE
    WHEN timeframe IS NULL THEN day_key(symbol, trading_date)
    ELSE bar_key(symbol, timeframe, opened_at)
  END AS key,
  'low ' || as_text(least(open, low, close)) || ', high ' || as_text(greatest(open, high, close)) AS expected,
  'low ' || as_text(low) || ', high ' || as_text(high)
    || CASE WHEN is_below_lot THEN ', odd lots: ' || volume || ' matched' ELSE '' END AS actual,
  greatest(low - least(open, close), greatest(open, close) - high) AS residual,
  board, result
FROM checked_bar
