-- grain: one row per symbol and session from first_day to last_day whose reference price can be compared with
--   its basis
-- bands, summaries: names of relations shaped like market.price_limit and market.daily_summary: those
-- themselves, or their rows at an instant (query_table reads a relation by its name, and a CTE of the
-- caller).
-- Basis: what the exchange sets the next reference price from where nothing happens: the close before (HOSE,
-- HNX, warrants), the weighted average before, rounded to the tick of 100 VND (UPCOM), the settlement price
-- before (futures). Which way UPCOM rounds is not published: a reference less than one tick from the average
-- counts as the average, unless nine tenths of that day's references (with a hundred of them seven tenths,
-- since a fifth may be noise) are their average rounded to the nearest tick, which shows how it is done:
-- rounded down, half of them would be. Idle symbols: over sessions without trades a reference stays as it is.
-- It is compared with the reference of the session before, so that an ex-date without trades counts once.
-- Coming back to the basis after a faulty day is not an event either. Sessions without trades leave no basis:
-- the latest positive one counts.
-- Skipped: a basis older than 45 days (the exchange sets a new reference after long halts: 25 idle
-- sessions), a symbol that has moved to another board since, and a session in between that was not
-- reported whole: the missing summary may be the basis. So may that of a session without a summary of the
-- symbol for which another answer shows trading: bars; or, where summaries of that session name
-- symbols without trades too, price limits between which the reference lies, so that it may be the close
-- of that session. A weekday in between counts as a session unless it is known to be closed
-- (mart.closed_day) or the service has answered for it. In years that the calendar does not name, a
-- weekday without any stored row counts as closed where twenty symbols can be compared: if it were a gap,
-- they would all differ, and mart.reference_break would show it.
-- ticks_off: how far the reference lies from its basis, in ticks of the higher of the two (1 VND where no
-- ladder is known). On UPCOM, where its rounding is not known, whole ticks from the average itself.
CREATE OR REPLACE MACRO mart.reference_basis(bands, summaries, first_day, last_day) AS TABLE
WITH stored_band AS (
  -- the kind is computed once: DuckDB writes a macro out wherever its result is used
  SELECT symbol, trading_date, ref_price, ceiling, floor, upper(exchange) AS board,
    mart.instrument_kind(symbol, NULL) AS kind,
    coalesce(mart.futures_underlying(symbol), kind) AS tick_kind
  FROM query_table(bands)
  WHERE trading_date BETWEEN CAST(first_day AS DATE) - 45 AND CAST(last_day AS DATE)
), band AS (
  SELECT *,
    lag(board) OVER history AS board_before, lag(trading_date) OVER history AS date_before,
    lag(ref_price) OVER history AS ref_before,
    CASE
      WHEN kind = 'future' THEN 'settlement'
      WHEN board = 'UPCOM' THEN 'average'
      ELSE 'close'
    END AS basis_kind
  FROM stored_band
  WINDOW history AS (PARTITION BY symbol ORDER BY trading_date)
), summary AS (
  SELECT symbol, trading_date, close, average, settlement_price, total_match
  FROM query_table(summaries)
  WHERE trading_date BETWEEN CAST(first_day AS DATE) - 45 AND CAST(last_day AS DATE)
), basis AS (
  SELECT symbol, trading_date, 'close' AS basis_kind, close AS price FROM summary WHERE close > 0
  UNION ALL
  SELECT symbol, trading_date, 'average', average FROM summary WHERE average > 0
  UNION ALL
  SELECT symbol, trading_date, 'settlement', settlement_price FROM summary WHERE settlement_price > 0
), covered_day AS (
  SELECT key, window_from AS day FROM ops.coverage
  WHERE dataset = 'securitiesSummary' AND state IN ('complete', 'empty')
    AND window_from BETWEEN CAST(first_day AS DATE) - 45 AND CAST(last_day AS DATE)
), comparison AS (
  SELECT band.symbol, band.trading_date AS ex_date, band.ref_price, band.kind, band.tick_kind,
    band.basis_kind,
    -- as mart.trading_board
    CASE band.kind WHEN 'future' THEN 'DERIVATIVE' ELSE band.board END AS board,
    basis.trading_date AS basis_date, basis.price,
    count(*) OVER (PARTITION BY band.trading_date) AS comparable,
    CASE band.basis_kind
      WHEN 'average' THEN TRY_CAST(round(basis.price / 100) * 100 AS DECIMAL(18,6))
      ELSE basis.price
    END AS last_basis,
    coalesce(band.date_before > basis.trading_date AND band.ref_before > 0, false) AS is_idle,
    CASE WHEN is_idle THEN band.ref_before ELSE last_basis END AS previous_basis,
    -- the first day whose summary may be what is missing
    CASE WHEN is_idle THEN band.date_before ELSE basis.trading_date + 1 END AS gap_from
  FROM band
  ASOF JOIN basis
    ON basis.symbol = band.symbol AND basis.basis_kind = band.basis_kind
      AND band.trading_date > basis.trading_date
  WHERE band.trading_date BETWEEN CAST(first_day AS DATE) AND CAST(last_day AS DATE)
    AND band.trading_date - basis.trading_date <= 45
    AND band.ref_price > 0
    -- beyond the days that a basis may be old nothing is looked at: from wherever the sessions begin, the
    -- same is seen
    AND coalesce(band.board_before = band.board OR band.trading_date - band.date_before > 45, true)
), uncovered_weekday AS (
  -- weekdays that were never requested for all symbols at once
  SELECT CAST(first_basis + CAST(days AS INTEGER) AS DATE) AS day,
    year(day) IN (SELECT announced.year FROM mart.announced_year announced)
      OR day IN (SELECT trading_date FROM summary) AS is_session
  FROM (SELECT min(gap_from) AS first_basis, unnest(range(max(ex_date) - min(gap_from))) AS days
    FROM comparison)
  WHERE isodow(day) <= 5
    AND day NOT IN (SELECT day FROM mart.closed_day)
    AND day NOT IN (SELECT day FROM covered_day WHERE key = '*')
), gap AS (
  SELECT DISTINCT symbol, ex_date
  FROM (FROM comparison
    WHERE ex_date - gap_from >= CASE WHEN isodow(ex_date) = 1 AND NOT is_idle THEN 3 ELSE 1 END) distant
  JOIN uncovered_weekday
    ON uncovered_weekday.day >= distant.gap_from AND uncovered_weekday.day < distant.ex_date
    AND (uncovered_weekday.is_session OR distant.comparable < 20)
  ANTI JOIN covered_day ON covered_day.key = distant.symbol AND covered_day.day = uncovered_weekday.day
), other_answer AS (
  -- sessions that other answers have of a symbol, with the prices between which it may have closed
  SELECT key AS symbol, window_from AS day, NULL AS lowest, NULL AS highest
  FROM ops.coverage
  WHERE dataset = 'ohlc' AND row_count > 0
    AND window_from BETWEEN CAST(first_day AS DATE) - 45 AND CAST(last_day AS DATE)
  UNION
  SELECT symbol, trading_date,
    coalesce(CAST(floor AS DOUBLE), CAST(ref_price AS DOUBLE) * (1 - width)),
    coalesce(CAST(ceiling AS DOUBLE), CAST(ref_price AS DOUBLE) * (1 + width))
  FROM (
    SELECT *, CASE board WHEN 'UPCOM' THEN 0.15 WHEN 'HNX' THEN 0.1 ELSE 0.07 END AS width FROM stored_band
  )
  WHERE trading_date IN (SELECT trading_date FROM summary WHERE total_match = 0)
), unreported AS (
  SELECT DISTINCT comparison.symbol, comparison.ex_date
  FROM (FROM comparison WHERE ex_date - gap_from >= 1) comparison
  JOIN other_answer
    ON other_answer.symbol = comparison.symbol AND other_answer.day >= comparison.gap_from
      AND other_answer.day < comparison.ex_date
  ANTI JOIN summary ON summary.symbol = other_answer.symbol AND summary.trading_date = other_answer.day
  WHERE comparison.ref_price <> comparison.previous_basis
    AND coalesce(CAST(comparison.ref_price AS DOUBLE) BETWEEN other_answer.lowest AND other_answer.highest,
      other_answer.lowest IS NULL)
), comparable_reference AS (
  SELECT *,
    avg(CAST(ref_price = previous_basis AS INTEGER)) FILTER (WHERE NOT is_idle) OVER same_day AS as_rounded,
    count(*) FILTER (WHERE NOT is_idle) OVER same_day AS roundings
  FROM comparison ANTI JOIN gap USING (symbol, ex_date) ANTI JOIN unreported USING (symbol, ex_date)
  WHERE previous_basis > 0
  WINDOW same_day AS (PARTITION BY ex_date, basis_kind)
), distance AS (
  SELECT *,
    coalesce(CAST(greatest(mart.tick_size(board, tick_kind, ref_price, ex_date),
      mart.tick_size(board, tick_kind, previous_basis, ex_date)) AS DOUBLE), 1) AS tick,
    CAST(CASE WHEN is_idle THEN least(abs(ref_price - previous_basis), abs(ref_price - last_basis))
      ELSE abs(ref_price - previous_basis) END AS DOUBLE) AS distance,
    basis_kind = 'average' AND NOT is_idle AND NOT coalesce(as_rounded >= CASE WHEN roundings >= 100
      THEN 0.7 ELSE 0.9 END, false) AS is_rounding_unknown
  FROM comparable_reference
)
SELECT symbol, ex_date, previous_basis, ref_price,
  CAST(ref_price AS DOUBLE) / CAST(previous_basis AS DOUBLE) AS factor,
  basis_kind, basis_date, tick,
  CASE WHEN is_rounding_unknown THEN floor(CAST(abs(ref_price - price) AS DOUBLE) / tick)
    ELSE round(distance / tick, 6) END AS ticks_off
FROM distance;
COMMENT ON MACRO TABLE mart.reference_basis IS
  'Reference prices beside what the exchange sets them from, for relations given by name: part of '
  'reference_break.';
