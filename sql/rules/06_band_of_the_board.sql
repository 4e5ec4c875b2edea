-- grain: one row per symbol and session with price limits
-- rule: 6
-- title: the band is that of the board
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days, securities
-- needs: price limits of a symbol whose board is known
-- why: a band of 20, 30 or 40 % marks a first day, a return after 25 idle sessions, or a special status.
--   Rounded to ticks the standard band is right for 403 of 405 names on HOSE, 301 of 302 on HNX, 703 of 849
--   on UPCOM: a flag, no fault
-- tolerance: two ticks, since which price decides the tick of a limit differs between boards; warrants follow
--   their underlying and are excluded
WITH board_band AS (
  SELECT band.symbol, band.trading_date, num(band.ceiling) AS ceiling, num(band.floor) AS floor,
    num(band.ref_price) AS ref,
    CASE coalesce(instrument.trading_board, upper(band.exchange))
      WHEN 'HOSE' THEN 0.07
      WHEN 'HNX' THEN 0.10
      WHEN 'UPCOM' THEN 0.15
      WHEN 'DERIVATIVE' THEN 0.07
    END AS band,
    CASE
      WHEN instrument.kind = 'future' THEN 0.1
      WHEN num(band.ref_price) >= 50000 OR upper(band.exchange) <> 'HOSE' THEN 100
      WHEN num(band.ref_price) >= 10000 THEN 50
      ELSE 10
    END AS tick
  FROM market.price_limit band LEFT JOIN instrument USING (symbol, trading_date)
  WHERE band.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    AND band.trading_date IN (SELECT trading_date FROM audit_session)
    AND coalesce(instrument.kind, 'stock') <> 'covered_warrant'
    AND band.ceiling > 0 AND band.floor > 0 AND band.ref_price > 0
)
SELECT trading_date, 'market' AS subject, 'market.price_limit' AS relation,
  day_key(symbol, trading_date) AS key,
  as_text(round(ref * (1 - band), 1)) || ' to ' || as_text(round(ref * (1 + band), 1)) AS expected,
  as_text(floor) || ' to ' || as_text(ceiling) AS actual,
  greatest(ceiling - ref * (1 + band), ref * (1 - band) - floor) AS residual,
  CASE
    WHEN abs(ceiling - ref * (1 + band)) <= 2 * tick AND abs(ref * (1 - band) - floor) <= 2 * tick THEN 'pass'
    ELSE 'soft'
  END AS result
FROM board_band
WHERE band IS NOT NULL
