-- grain: one row per symbol: a letter per session for its bars of that length, the oldest of 60 first
-- c complete, e empty, i incomplete, r refused, m imported, - never requested
WITH session AS (
  $session
), answer AS (
  SELECT coverage.key AS symbol, session.trading_date,
    max(CASE coverage.state WHEN 'imported' THEN 'm' ELSE left(coverage.state, 1) END) AS letter
  FROM ops.coverage coverage
  JOIN session ON session.trading_date BETWEEN coverage.window_from AND coverage.window_to
  WHERE coverage.dataset = 'ohlc' AND coverage.timeframe = $timeframe
  GROUP BY ALL
)
SELECT instrument.symbol, instrument.kind, instrument.is_listed,
  string_agg(coalesce(answer.letter, '-'), '' ORDER BY session.trading_date) AS letters
FROM mart.instrument instrument
CROSS JOIN session
LEFT JOIN answer ON answer.symbol = instrument.symbol AND answer.trading_date = session.trading_date
GROUP BY instrument.symbol, instrument.kind, instrument.is_listed
ORDER BY instrument.symbol
