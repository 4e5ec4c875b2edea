-- grain: one row per symbol and session with price limits
-- rule: 6
-- title: the band is that of the board
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days, securities
-- needs: price limits of a symbol whose board and band on that day are known
-- why: a band of 20, 30 or 40 % marks a first day, a return after 25 idle sessions, or a special status: a
--   flag, no fault. On UPCOM one name in six has another band than the usual one, so the band after long
--   idleness (mart.price_band_idle) holds there too
-- evidence: 99.51 % of 405 names, HOSE, days not recorded, docs/market-facts.md#price-bands
-- evidence: 99.67 % of 302 names, HNX, days not recorded, docs/market-facts.md#price-bands
-- evidence: 82.80 % of 849 names, UPCOM, days not recorded, docs/market-facts.md#price-bands
-- tolerance: two ticks of that board, kind and day, since which price decides the tick of a limit differs
--   between boards; warrants follow their underlying and are excluded
WITH session_band AS (
  SELECT band.symbol, band.trading_date, num(band.ceiling) AS ceiling, num(band.floor) AS floor,
    num(band.ref_price) AS ref,
    coalesce(instrument.kind, mart.instrument_kind(band.symbol, NULL)) AS kind,
    coalesce(instrument.trading_board, mart.trading_board(band.symbol, band.exchange)) AS board
  FROM market.price_limit band LEFT JOIN instrument USING (symbol, trading_date)
  WHERE band.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    AND band.trading_date IN (SELECT trading_date FROM audit_session)
    AND band.ceiling > 0 AND band.floor > 0 AND band.ref_price > 0
), ladder AS (
  SELECT *, mart.futures_underlying(symbol) AS underlying
  FROM session_band
  WHERE kind <> 'covered_warrant'
), board_band AS (
  SELECT *,
    mart.price_band(board, kind, underlying, trading_date) / 100 AS usual,
    CASE board WHEN 'UPCOM' THEN mart.price_band_idle(board, trading_date) / 100 END AS idle,
    -- a kind without a ladder of its own on that board has that of its stocks
    coalesce(mart.tick_size(board, coalesce(underlying, kind), ref, trading_date),
      mart.tick_size(board, 'stock', ref, trading_date)) AS tick
  FROM ladder
), comparison AS (
  SELECT *,
    greatest(abs(ceiling - ref * (1 + usual)), abs(ref * (1 - usual) - floor)) <= 2 * tick AS is_usual,
    greatest(abs(ceiling - ref * (1 + idle)), abs(ref * (1 - idle) - floor)) <= 2 * tick AS is_idle
  FROM board_band
)
SELECT trading_date, 'market' AS subject, 'market.price_limit' AS relation,
  day_key(symbol, trading_date) AS key,
  as_text(round(ref * (1 - usual), 1)) || ' to ' || as_text(round(ref * (1 + usual), 1)) AS expected,
  as_text(floor) || ' to ' || as_text(ceiling) AS actual,
  greatest(ceiling - ref * (1 + usual), ref * (1 - usual) - floor) AS residual,
  CASE WHEN is_usual OR coalesce(is_idle, false) THEN 'pass' ELSE 'soft' END AS result
FROM comparison
WHERE is_usual IS NOT NULL
