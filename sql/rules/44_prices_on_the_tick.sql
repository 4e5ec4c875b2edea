-- grain: one row per symbol and session with price limits, and per daily summary of a symbol that traded
-- rule: 44
-- title: limits, reference and traded prices lie on the tick
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days, securities
-- needs: price limits or traded prices of a symbol whose board and kind have a price ladder
-- why: nobody can order between two ticks, so a digit that went wrong mostly falls beside one. The ladders of
--   years before 2025 are not recorded, and deals may be priced freely: a flag
-- evidence: none measured
-- tolerance: none
WITH price_list AS (
  SELECT band.trading_date, 'market.price_limit' AS relation, band.symbol,
    mart.instrument_kind(band.symbol, instrument.cw_underlying_symbol) AS kind,
    upper(band.exchange) AS exchange,
    [band.ceiling, band.floor, band.ref_price] AS prices
  FROM market.price_limit band LEFT JOIN instrument USING (symbol, trading_date)
  WHERE band.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    AND band.trading_date IN (SELECT trading_date FROM audit_session)
  UNION ALL
  SELECT trading_date, 'market.daily_summary', symbol, kind, board, [open, high, low, close]
  FROM audit_day WHERE total_match > 0
), ladder AS (
  SELECT *, CASE WHEN kind = 'future' THEN 'DERIVATIVE' ELSE exchange END AS board,
    coalesce(mart.futures_underlying(symbol), kind) AS tick_kind
  FROM price_list
), tick_check AS (
  SELECT *, list_filter(prices, lambda price: price > 0
    AND price % mart.tick_size(board, tick_kind, price, trading_date) <> 0) AS beside,
    mart.tick_size(board, tick_kind, list_max(prices), trading_date) AS tick
  FROM ladder
)
SELECT trading_date, 'market' AS subject, relation, day_key(symbol, trading_date) AS key,
  'on the tick of ' || as_text(tick) AS expected,
  list_aggregate(list_transform(beside, lambda price: as_text(price)), 'string_agg', ' ') AS actual,
  NULL AS residual,
  CASE WHEN len(beside) = 0 THEN 'pass' ELSE 'soft' END AS result
FROM tick_check
WHERE tick IS NOT NULL
