-- grain: one row per symbol and day that are asked for: the rules by which it traded
-- The board of that day: its price limits, else those next before it, else next after it, else the security
-- list. A symbol that nothing stored knows has the kind that its code shows and, unless it is a future, no
-- board: then rules of boards are null. Settlement: sessions after the day, by mart.closed_day.
CREATE OR REPLACE MACRO mart.instrument_rule_as_of(of_symbol, on_day) AS TABLE
WITH asked AS (
  -- names that no relation has: with those of columns the macro could not be created beside stored rows
  SELECT upper(CAST(of_symbol AS VARCHAR)) AS asked_symbol, CAST(on_day AS DATE) AS asked_day
), board_of AS (
  SELECT coalesce(
    arg_max(upper(exchange), trading_date) FILTER (WHERE trading_date <= asked_day),
    arg_min(upper(exchange), trading_date) FILTER (WHERE trading_date > asked_day)) AS exchange
  FROM market.price_limit band JOIN asked ON upper(band.symbol) = asked_symbol
), listed AS (
  SELECT any_value(upper(board)) AS board, any_value(cw_underlying_symbol) AS cw_underlying_symbol,
    any_value(lot_size) AS lot_size
  FROM market.security security JOIN asked ON upper(security.symbol) = asked_symbol
), instrument AS (
  SELECT asked_symbol, asked_day, mart.instrument_kind(asked_symbol, cw_underlying_symbol) AS kind,
    mart.trading_board(asked_symbol, coalesce(exchange, board)) AS board,
    CASE kind
      WHEN 'covered_warrant' THEN cw_underlying_symbol
      WHEN 'future' THEN mart.futures_underlying(asked_symbol)
    END AS underlying
  FROM asked, board_of, listed
), holding AS (
  SELECT rule, arg_max(value, strlen(scope)) AS value
  FROM instrument
  JOIN mart.market_rule market_rule
    ON asked_day BETWEEN valid_from AND valid_to
      AND scope IN ('*', board, board || '/' || kind, board || '/' || underlying)
  WHERE rule NOT IN ('tick', 'phase')
  GROUP BY rule
), applied AS (
  SELECT CAST(any_value(value) FILTER (WHERE rule = 'multiplier') AS INTEGER) AS multiplier,
    -- a warrant has the limits of its share over its ratio, no band of its own
    TRY_CAST(any_value(value) FILTER (WHERE rule = 'price_band') AS DOUBLE) AS price_band,
    count_if(rule = 'price_band') > 0 AS has_band,
    CAST(any_value(value) FILTER (WHERE rule = 'lot_size') AS BIGINT) AS lot_size,
    CAST(any_value(value) FILTER (WHERE rule = 'settlement_cycle') AS BIGINT) AS settlement_cycle,
    CAST(any_value(value) FILTER (WHERE rule = 'sell_tax') AS DOUBLE) AS sell_tax,
    any_value(value) FILTER (WHERE rule = 'order_types') AS order_types,
    any_value(value) FILTER (WHERE rule = 'reference_price') AS reference_price
  FROM holding
), later_session AS (
  SELECT later_day.day, row_number() OVER (ORDER BY later_day.day) AS number
  FROM (SELECT asked_day + CAST(unnest(range(1, 31)) AS INTEGER) AS day FROM asked) later_day
  ANTI JOIN mart.closed_day closed ON closed.day = later_day.day
  WHERE isodow(later_day.day) <= 5
)
SELECT asked_symbol AS symbol, asked_day AS trading_date, kind, board, underlying,
  -- a user may state it for an underlying that the packaged rulebook does not know
  coalesce(applied.multiplier, mart.multiplier(asked_symbol)) AS multiplier,
  price_band, lot_size, later_session.day AS settlement_date, sell_tax, order_types, reference_price,
  CASE
    WHEN kind = 'spread' AND applied.multiplier IS NULL
      THEN 'a spread of two futures: no source states its money per point or its band'
    WHEN kind = 'future' AND applied.multiplier IS NULL AND mart.multiplier(asked_symbol) IS NULL
      THEN 'the rulebook does not know the underlying ' || underlying
        || ': state its multiplier and band in market_rules.csv'
    WHEN board IS NULL THEN 'no price limit and no security list that is stored names a board for it'
    WHEN lot_size IS NULL THEN 'the rulebook has no lot size of ' || board || ' on that day'
    WHEN NOT has_band THEN 'the rulebook has no price band of ' || board || ' on that day'
    WHEN price_band IS NULL THEN 'the limits are those of the underlying share, over the ratio of the warrant'
  END AS note
FROM instrument, applied
LEFT JOIN later_session ON later_session.number = applied.settlement_cycle;
COMMENT ON MACRO TABLE mart.instrument_rule_as_of IS
  'One row: by which rules a symbol traded on a day: board, band and sell_tax in percent, round lot, money '
  'per point, the day on which a trade settles, and what is not known.';
