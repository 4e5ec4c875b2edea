-- What rules and their evidence share. How every rule writes its values: numbers without trailing zeros,
-- keys as candlehouse trace takes them.
CREATE OR REPLACE TEMP MACRO as_text(value) AS (
  CASE
    WHEN contains(CAST(value AS VARCHAR), '.') THEN rtrim(rtrim(CAST(value AS VARCHAR), '0'), '.')
    ELSE CAST(value AS VARCHAR)
  END
);
CREATE OR REPLACE TEMP MACRO day_key(symbol, trading_date) AS (
  CAST(json_object('symbol', symbol, 'trading_date', CAST(trading_date AS VARCHAR)) AS VARCHAR)
);
CREATE OR REPLACE TEMP MACRO bar_key(symbol, timeframe, opened_at) AS (
  CAST(json_object('symbol', symbol, 'timeframe', timeframe,
    'opened_at', strftime(timezone('UTC', opened_at), '%Y-%m-%dT%H:%M:%SZ')) AS VARCHAR)
);
CREATE OR REPLACE TEMP MACRO index_key(index_code, trading_date) AS (
  CAST(json_object('index_code', index_code, 'trading_date', CAST(trading_date AS VARCHAR)) AS VARCHAR)
);
-- The four prices and the volume of a bar in one text.
CREATE OR REPLACE TEMP MACRO bar_text(open, high, low, close, volume) AS (
  coalesce(
    nullif(
      concat_ws(' ', as_text(open), as_text(high), as_text(low), as_text(close),
        'volume ' || CAST(volume AS VARCHAR)),
      ''),
    'no bar')
);
-- The relation that a dataset of the market fills.
CREATE OR REPLACE TEMP MACRO dataset_relation(dataset) AS (
  CASE dataset
    WHEN 'masterdata' THEN 'market.price_limit'
    WHEN 'indexSummary' THEN 'market.index_summary'
    WHEN 'ohlc' THEN 'market.candle'
    ELSE 'market.daily_summary'
  END
);
-- A number as DOUBLE: products and sums of faulty rows must not overflow, or one odd row would silence a
-- rule.
CREATE OR REPLACE TEMP MACRO num(value) AS (TRY_CAST(value AS DOUBLE));
-- What rounding of a value (VND) and of a volume can add to the price that they make together.
CREATE OR REPLACE TEMP MACRO price_slack(value_half, volume_half, volume, multiplier, price) AS (
  (value_half / multiplier + volume_half * num(price)) / num(volume)
);
-- What rounding can add to a volume that was reported rounded, or computed from a rounded value at a price.
CREATE OR REPLACE TEMP MACRO volume_slack(value_half, volume_half, price, multiplier) AS (
  volume_half + coalesce(value_half / (nullif(num(price), 0) * multiplier), 0)
);
-- How many zeros a whole number ends with; none where it is not whole.
CREATE OR REPLACE TEMP MACRO trailing_zeros(figure) AS (
  CASE
    WHEN figure = CAST(figure AS HUGEINT)
      THEN length(CAST(CAST(figure AS HUGEINT) AS VARCHAR))
        - length(rtrim(CAST(CAST(figure AS HUGEINT) AS VARCHAR), '0'))
    ELSE 0
  END
);
-- grain: one row per session that has figures: the steps of its values, volumes and prices. Per measure the
--   largest power of ten that divides all figures but one in fifty (a digit that went wrong must not hide the
--   step), of at least twenty; 1 where there are fewer. figures: name of a relation (trading_date, measure,
--   figure), measure value, volume or price
CREATE OR REPLACE TEMP MACRO session_steps(figures) AS TABLE
WITH common_step AS (
  SELECT trading_date, measure, power(10, quantile_disc(trailing_zeros(figure), 0.02)) AS step
  FROM query_table(figures)
  WHERE figure > 0
  GROUP BY ALL
  HAVING count(*) >= 20
)
SELECT trading_date,
  coalesce(max(step) FILTER (measure = 'value'), 1) AS value_step,
  coalesce(max(step) FILTER (measure = 'volume'), 1) AS volume_step,
  coalesce(max(step) FILTER (measure = 'price'), 1) AS price_step
FROM common_step
GROUP BY trading_date;
-- Whether a page is of the runs being checked. Variable audit_new_from: the first of these runs; ids rise
-- with the runs. Unset or null: there are none.
CREATE OR REPLACE TEMP MACRO is_of_checked_run(request_id) AS (
  coalesce(request_id >= getvariable('audit_new_from'), false)
);
