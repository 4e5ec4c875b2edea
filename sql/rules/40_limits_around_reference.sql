-- grain: one row per price limit with all three prices
-- rule: 40
-- title: floor < reference < ceiling, as far on one side as on the other
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days, securities
-- needs: price limits above zero
-- why: limits are a percentage around the reference. Both are rounded to the tick inwards, so they differ by
--   less than two ticks; no rate was measured for the sides, so a lopsided band is soft
-- evidence: none measured
-- tolerance: for the sides 1 % of the reference or two of the widest ticks of the band, by board, kind and
--   day (mart.tick_size; where none is recorded, 1 %); no price is below one
--   tick: there the lower side is cut off, and a price of one tick is its own floor
WITH band AS (
  SELECT band.trading_date, band.symbol, band.floor, band.ceiling, band.ref_price,
    coalesce(instrument.trading_board, mart.trading_board(band.symbol, band.exchange)) AS board,
    coalesce(mart.futures_underlying(band.symbol), instrument.kind,
      mart.instrument_kind(band.symbol, NULL)) AS ladder,
    num(band.ceiling) - num(band.ref_price) AS up, num(band.ref_price) - num(band.floor) AS down
  FROM market.price_limit band LEFT JOIN instrument USING (symbol, trading_date)
  WHERE band.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    AND band.trading_date IN (SELECT trading_date FROM audit_session)
    AND band.floor > 0 AND band.ceiling > 0 AND band.ref_price > 0
), stepped_band AS (
  -- a kind without a ladder of its own on that board has that of its stocks
  SELECT *,
    coalesce(mart.tick_size(board, ladder, ceiling, trading_date),
      mart.tick_size(board, 'stock', ceiling, trading_date)) AS widest_tick,
    coalesce(mart.tick_size(board, ladder, ref_price, trading_date),
      mart.tick_size(board, 'stock', ref_price, trading_date)) AS tick
  FROM band
)
SELECT trading_date, 'market' AS subject, 'market.price_limit' AS relation,
  day_key(symbol, trading_date) AS key,
  'around ' || as_text(ref_price) AS expected, as_text(floor) || ' to ' || as_text(ceiling) AS actual,
  up - down AS residual,
  CASE
    WHEN up <= 0 OR down < 0 OR down = 0 AND ref_price > coalesce(tick, 0) THEN 'break'
    WHEN abs(up - down) > 0 AND floor = tick THEN 'pass'
    WHEN abs(up - down) > greatest(0.01 * num(ref_price), 2 * coalesce(widest_tick, 0)) THEN 'soft'
    ELSE 'pass'
  END AS result
FROM stepped_band
