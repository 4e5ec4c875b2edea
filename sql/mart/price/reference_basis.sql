-- grain: one row per symbol and session from first_day to last_day whose reference price can be compared with
--   its basis
-- bands, summaries: names of relations shaped like market.price_limit and market.daily_summary: those
-- themselves, or their rows at an instant (query_table reads a relation by its name, and a CTE of the
-- caller).
-- Basis: what the exchange sets the next reference price from where nothing happens (mart.reference_kind):
-- the close before (HOSE, HNX, warrants), the weighted average before, rounded to the tick of 100 VND
-- (UPCOM, HNX before 2013-07-29), the settlement price before (futures). Which way an average is rounded is
-- not published: a reference less than one tick from the average counts as the average, unless nine tenths
-- of that day's references (with a hundred of them seven tenths, since a fifth may be noise) are their
-- average rounded to the nearest tick, which shows how it is done: rounded down, half of them would be. Idle
-- symbols: over sessions without trades a reference stays as it is. It is compared with the reference of the
-- session before, so that an ex-date without trades counts once. Coming back to the basis after a faulty day
-- is not an event either. Sessions without trades leave no basis: the latest positive one counts.
-- Skipped: a basis older than 45 days (the exchange sets a new reference after long halts: 25 idle
-- sessions), and a symbol that has moved to another board since.
-- unknown_sessions: sessions from the basis on of which nothing is known of the symbol, so that the price
-- they left may be the basis. A session with a summary row of the symbol is known, and one for which bars
-- were requested and answered empty. Not known: a session that was not requested, one with price limits of
-- the symbol (the latest of those that give the basis), and one with neither. More than three requested
-- sessions without any row are a suspension, over which the basis stands: they count as one, since a row
-- beside them may be missing. A reference that repeats its basis needs none of them: 0.
-- A weekday counts as a session unless it is known to be closed (mart.closed_day) or the service answered
-- that it has none. In years that the calendar does not name, a weekday without any stored row counts as
-- closed where twenty symbols can be compared: if it were a session, they would all differ, and
-- mart.reference_break would show it.
-- open_move: how far the price can have moved in these sessions, as a logarithm (a tick at least each);
-- infinite where no band is recorded, or where the basis is older than 30 days, since the exchange widens
-- the band later. is_unknown: the reference differs by no more than that.
-- ticks_off: how far the reference lies from its basis, in ticks of the higher of the two (1 VND where no
-- ladder is known). On UPCOM, where its rounding is not known, whole ticks from the average itself.
CREATE OR REPLACE MACRO mart.reference_basis(bands, summaries, first_day, last_day) AS TABLE
WITH stored_band AS (
  -- the kind is computed once: DuckDB writes a macro out wherever its result is used
  SELECT symbol, trading_date, ref_price, ceiling, floor, upper(exchange) AS board,
    mart.instrument_kind(symbol, NULL) AS kind, mart.futures_underlying(symbol) AS underlying
  FROM query_table(bands)
  WHERE trading_date BETWEEN CAST(first_day AS DATE) - 45 AND CAST(last_day AS DATE)
), band AS (
  SELECT *, coalesce(underlying, kind) AS tick_kind,
    lag(board) OVER history AS board_before, lag(trading_date) OVER history AS date_before,
    lag(ref_price) OVER history AS ref_before,
    mart.reference_kind(CASE kind WHEN 'future' THEN 'DERIVATIVE' ELSE board END, trading_date) AS basis_kind
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
  SELECT key, window_from AS day, state FROM ops.coverage
  WHERE dataset = 'securitiesSummary' AND state IN ('complete', 'empty')
    AND window_from BETWEEN CAST(first_day AS DATE) - 45 AND CAST(last_day AS DATE)
), comparison AS (
  SELECT band.symbol, band.trading_date AS ex_date, band.ref_price, band.kind, band.underlying,
    band.tick_kind, band.basis_kind,
    -- as mart.trading_board
    CASE band.kind WHEN 'future' THEN 'DERIVATIVE' ELSE band.board END AS board,
    basis.trading_date AS basis_date, basis.price,
    coalesce(mart.tick_size(band.board, band.tick_kind, basis.price, band.trading_date), 1) AS average_tick,
    count(*) OVER (PARTITION BY band.trading_date) AS comparable,
    CASE band.basis_kind
      WHEN 'average' THEN TRY_CAST(round(basis.price / average_tick) * average_tick AS DECIMAL(18,6))
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
), differing AS (
  -- few: whatever lies between, a reference that repeats its basis needs none of it
  SELECT symbol, ex_date, board, kind, underlying, gap_from, is_idle, comparable, ref_price, previous_basis,
    basis_date
  FROM comparison
  WHERE ref_price <> previous_basis AND previous_basis > 0 AND ex_date > gap_from
), possible_day AS (
  SELECT CAST(first_gap + CAST(days AS INTEGER) AS DATE) AS day,
    day IN (SELECT trading_date FROM summary) AS has_rows,
    day IN (SELECT day FROM covered_day WHERE key = '*') AS is_answered,
    year(day) IN (SELECT announced.year FROM mart.announced_year announced) AS is_named
  FROM (SELECT min(gap_from) AS first_gap, unnest(range(max(ex_date) - min(gap_from))) AS days FROM differing)
), session_day AS (
  SELECT day, has_rows AND is_answered AS is_requested, has_rows OR is_named OR is_answered AS is_certain
  FROM possible_day
  WHERE has_rows
    OR isodow(day) <= 5 AND day NOT IN (SELECT day FROM mart.closed_day)
      AND day NOT IN (SELECT day FROM covered_day WHERE key = '*' AND state = 'empty')
), unreported AS (
  SELECT differing.symbol, differing.ex_date, session_day.day,
    differing.is_idle AND session_day.day = differing.gap_from AS has_limits,
    session_day.is_requested OR answer.day IS NOT NULL AS is_requested
  FROM differing
  JOIN session_day ON session_day.day >= differing.gap_from AND session_day.day < differing.ex_date
    AND (session_day.is_certain OR differing.comparable < 20)
  LEFT JOIN covered_day answer ON answer.key = differing.symbol AND answer.day = session_day.day
  ANTI JOIN summary
    ON summary.symbol = differing.symbol AND summary.trading_date = session_day.day
), without_bars AS (
  SELECT key AS symbol, window_from AS day
  FROM ops.coverage
  WHERE dataset = 'ohlc' AND state = 'empty'
    AND window_from BETWEEN CAST(first_day AS DATE) - 45 AND CAST(last_day AS DATE)
), unknown_session AS (
  SELECT symbol, ex_date, CAST(count_if(has_limits OR NOT is_requested) AS INTEGER) AS certain,
    CAST(count(*) AS INTEGER) - certain AS omitted,
    certain + CASE WHEN omitted > 3 THEN 1 ELSE omitted END AS unknown_sessions
  FROM unreported ANTI JOIN without_bars USING (symbol, day)
  GROUP BY symbol, ex_date
), unknown_band AS (
  SELECT unknown_session.symbol, unknown_session.ex_date, unknown_sessions,
    CASE WHEN differing.ex_date - basis_date <= 30
      THEN greatest(mart.price_band(differing.board, differing.kind, differing.underlying,
        differing.ex_date) / 100,
        CASE WHEN ceiling > floor AND floor > 0
          THEN CAST(ceiling - floor AS DOUBLE) / CAST(ceiling + floor AS DOUBLE) END)
    END AS width
  FROM unknown_session
  JOIN differing USING (symbol, ex_date)
  LEFT JOIN stored_band
    ON stored_band.symbol = differing.symbol AND stored_band.trading_date = differing.gap_from
), comparable_reference AS (
  SELECT comparison.*, coalesce(unknown_sessions, 0) AS unknown_sessions, width,
    is_idle OR unknown_sessions > 0 AS is_rounding_hidden,
    avg(CAST(ref_price = previous_basis AS INTEGER)) FILTER (WHERE NOT coalesce(is_rounding_hidden, false))
      OVER same_day AS as_rounded,
    count(*) FILTER (WHERE NOT coalesce(is_rounding_hidden, false)) OVER same_day AS roundings
  FROM comparison LEFT JOIN unknown_band USING (symbol, ex_date)
  WHERE previous_basis > 0
  WINDOW same_day AS (PARTITION BY ex_date, basis_kind)
), reference_tick AS (
  -- a column of its own: DuckDB writes an alias out wherever its own SELECT reads it
  SELECT *,
    coalesce(CAST(greatest(mart.tick_size(board, tick_kind, ref_price, ex_date),
      mart.tick_size(board, tick_kind, previous_basis, ex_date)) AS DOUBLE), 1) AS tick
  FROM comparable_reference
), distance AS (
  SELECT *,
    CAST(CASE WHEN is_idle THEN least(abs(ref_price - previous_basis), abs(ref_price - last_basis))
      ELSE abs(ref_price - previous_basis) END AS DOUBLE) AS distance,
    basis_kind = 'average' AND NOT is_idle AND NOT coalesce(as_rounded >= CASE WHEN roundings >= 100
      THEN 0.7 ELSE 0.9 END, false) AS is_rounding_unknown,
    CASE WHEN is_rounding_unknown THEN floor(CAST(abs(ref_price - price) AS DOUBLE) / tick)
      ELSE round(distance / tick, 6) END AS ticks_off
  FROM reference_tick
), assessed_reference AS (
  SELECT *, CAST(ref_price AS DOUBLE) / CAST(previous_basis AS DOUBLE) AS factor,
    CASE WHEN unknown_sessions = 0 OR ticks_off = 0 THEN 0
      WHEN width IS NULL THEN CAST('inf' AS DOUBLE)
      ELSE unknown_sessions
        * greatest(-ln(1 - width), tick / CAST(least(ref_price, previous_basis) AS DOUBLE))
    END AS open_move
  FROM distance
)
SELECT symbol, ex_date, previous_basis, ref_price, factor, basis_kind, basis_date, tick, ticks_off,
  open_move, open_move > 0 AND abs(ln(factor)) <= open_move AS is_unknown
FROM assessed_reference;
COMMENT ON MACRO TABLE mart.reference_basis IS
  'Reference prices beside what the exchange sets them from, for relations given by name: part of '
  'reference_break.';
