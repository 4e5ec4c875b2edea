-- grain: one row per symbol and period (day, week, month) that has a session
-- bars: name of a relation, or of a common table expression of the statement, with a row per symbol and
-- session: symbol, trading_date, open, high, low, close, volume, value. of_period: '1d', '1w' (Monday to
-- Sunday) or '1M' (calendar month). Periods without a session have no row; one that is not over has its
-- sessions so far. Sessions in which nothing matched (volume 0, or no close) are left out: their prices are
-- zeros or the close before. Adjust prices before: within a period that contains an ex-date raw prices of
-- both sides stand beside each other.
CREATE OR REPLACE MACRO mart.period_bars(bars, of_period) AS TABLE
WITH given_session AS (
  SELECT symbol, trading_date, open, high, low, close, volume, value, of_period AS timeframe,
    CASE of_period
      WHEN '1d' THEN trading_date
      WHEN '1w' THEN CAST(date_trunc('week', trading_date) AS DATE)
      WHEN '1M' THEN CAST(date_trunc('month', trading_date) AS DATE)
      ELSE CAST(error('no period of sessions: ' || coalesce(of_period, 'NULL')) AS DATE)
    END AS period_from
  FROM query_table(bars)
  WHERE close > 0 AND volume IS DISTINCT FROM 0
)
SELECT symbol, timeframe, period_from, min(trading_date) AS trading_date, max(trading_date) AS last_session,
  count(*) AS sessions, arg_min(open, trading_date) AS open, max(high) AS high, min(low) AS low,
  arg_max(close, trading_date) AS close, sum(volume) AS volume, sum(value) AS value
FROM given_session
GROUP BY symbol, timeframe, period_from;
COMMENT ON MACRO TABLE mart.period_bars IS
  'Bars of days, weeks or months, made from a relation of sessions that is given by name.';
