-- What every rule writes its values with: numbers without trailing zeros, keys as candlehouse trace takes them.
CREATE OR REPLACE TEMP MACRO as_text(value) AS (
  CASE WHEN contains(CAST(value AS VARCHAR), '.') THEN rtrim(rtrim(CAST(value AS VARCHAR), '0'), '.') ELSE CAST(value AS VARCHAR) END
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
-- A number as DOUBLE: products and sums of faulty rows must not overflow, or one odd row would silence a rule.
CREATE OR REPLACE TEMP MACRO num(value) AS (TRY_CAST(value AS DOUBLE));
