-- grain: one row per symbol and session from first_day to last_day whose reference price can be compared with
--   its basis (mart.reference_basis), with what the difference is
-- bands, summaries: names of relations, as for mart.reference_basis.
-- A difference counts by its size, against the noise of its day
-- (docs/decisions/0054-breaks-by-their-size.md). No corporate action of this market raises a reference price
-- by a tick or two, so small differences upwards measure the noise.
-- noise_ticks: 0 where at least 50 symbols are compared, none of them lies up to two ticks above its basis,
-- and at most two, or one in fifty, up to two ticks below; 2 where at least five and a tenth of the symbols
-- differ by up to five ticks and the median of these is above one tick; else 1.
-- differs: by more than the noise. Of a reference that may follow sessions of which nothing is known
-- (is_unknown), nothing else is computed; it counts for nothing here.
-- is_event: below the basis and no fault of the source.
-- market_wide: at least five differ by more than the noise, their median is above 0.5 %, and either they are
-- half of those compared, or more than a tenth and a quarter of them rise: a fault of the source (references
-- of another day, a unit). A fall on such a day is an event if it is four times the median and larger than
-- the band of its board: references of the days around differ by less.
-- is_fault: the prices of the session lie outside the band around the reference, and inside that around the
-- basis: the session did not trade around the reference (45,100 with a high of 49,100 on a board of 7 %).
-- beyond_limit, is_beyond_limit: by how much, in the unit of the price, the close lies more than a tick
-- outside the band around the reference, and whether it does. The band is that of the board, or the one
-- reported where it is wider; null where neither is known. The board's band holds for a basis of the 30
-- days before: later the exchange widens it.
CREATE OR REPLACE MACRO mart.reference_break(bands, summaries, first_day, last_day) AS TABLE
WITH reference AS (
  FROM mart.reference_basis(bands, summaries, first_day, last_day)
), day_difference AS (
  SELECT ex_date, count(*) AS compared,
    count_if(ticks_off > 0 AND ticks_off <= 2 AND factor > 1) AS slightly_up,
    count_if(ticks_off > 0 AND ticks_off <= 2 AND factor < 1) AS slightly_down,
    count_if(ticks_off > 0 AND ticks_off <= 5) AS small,
    median(ticks_off) FILTER (ticks_off > 0 AND ticks_off <= 5) AS median_small
  FROM reference
  WHERE NOT is_unknown
  GROUP BY ex_date
), day_noise AS (
  SELECT ex_date, compared, CASE
    WHEN compared >= 50 AND slightly_up = 0 AND slightly_down <= greatest(2, compared / 50) THEN 0
    WHEN small >= 5 AND small * 10 > compared AND median_small > 1 THEN 2
    ELSE 1
  END AS noise_ticks
  FROM day_difference
), sized_reference AS (
  SELECT reference.*, coalesce(noise_ticks, 1) AS noise_ticks, compared,
    NOT is_unknown AND ticks_off > day_noise.noise_ticks AS differs
  FROM reference LEFT JOIN day_noise USING (ex_date)
), day_break AS (
  SELECT ex_date, count_if(differs) AS breaks, count_if(differs AND factor > 1) AS rises,
    median(abs(ln(factor))) FILTER (differs) AS median_break,
    breaks >= 5 AND median_break > 0.005 AND (breaks * 2 >= any_value(compared)
      OR breaks * 10 > any_value(compared) AND rises * 4 >= breaks) AS market_wide
  FROM sized_reference
  GROUP BY ex_date
), trading AS (
  SELECT symbol, trading_date AS ex_date, CAST(close AS DOUBLE) AS close,
    CAST(greatest(high, close) AS DOUBLE) AS highest,
    CAST(least(CASE WHEN low > 0 THEN low END, close) AS DOUBLE) AS lowest
  FROM query_table(summaries)
  WHERE trading_date BETWEEN CAST(first_day AS DATE) AND CAST(last_day AS DATE)
    AND close > 0 AND total_match > 0
), stored_band AS (
  SELECT symbol, trading_date, ceiling, floor, upper(exchange) AS exchange_board,
    mart.instrument_kind(symbol, NULL) AS kind, mart.futures_underlying(symbol) AS underlying
  FROM query_table(bands)
  WHERE trading_date BETWEEN CAST(first_day AS DATE) AND CAST(last_day AS DATE)
), banded_board AS (
  -- what mart.price_band is given are columns: DuckDB writes expressions out once for each of its values
  SELECT *, CASE WHEN kind = 'future' THEN 'DERIVATIVE' ELSE exchange_board END AS board
  FROM stored_band
  WHERE kind <> 'covered_warrant'
), band AS (
  SELECT symbol, trading_date AS ex_date,
    mart.price_band(board, kind, underlying, trading_date) / 100 AS board_band,
    CASE WHEN ceiling > floor AND floor > 0
      THEN CAST(ceiling - floor AS DOUBLE) / CAST(ceiling + floor AS DOUBLE) END AS reported_band
  FROM banded_board
), limited_reference AS (
  SELECT reference.*, day_break.market_wide, day_break.median_break, board_band, close, highest, lowest,
    CAST(ref_price AS DOUBLE) AS reference_price, CAST(previous_basis AS DOUBLE) AS basis_price,
    CASE
      WHEN reported_band > board_band THEN reported_band
      WHEN ex_date - basis_date <= 30 THEN board_band
      ELSE reported_band
    END AS width
  FROM sized_reference reference
  JOIN day_break USING (ex_date)
  LEFT JOIN trading USING (symbol, ex_date)
  LEFT JOIN band USING (symbol, ex_date)
), assessed_reference AS (
  SELECT *,
    coalesce(differs AND NOT market_wide
      AND greatest(highest - reference_price, reference_price - lowest) > tick + width * reference_price
      AND greatest(highest - basis_price, basis_price - lowest) <= tick + width * basis_price,
      false) AS is_fault
  FROM limited_reference
)
SELECT symbol, ex_date, previous_basis, ref_price, factor, basis_kind, basis_date, tick, ticks_off,
  noise_ticks, open_move, is_unknown, differs, market_wide, is_fault,
  differs AND factor < 1 AND NOT is_fault AND (NOT market_wide
    OR coalesce(-ln(factor) > 4 * median_break AND 1 - factor > board_band, false)) AS is_event,
  abs(close - reference_price) - tick - width * reference_price AS beyond_limit,
  beyond_limit > 0.000001 AS is_beyond_limit
FROM assessed_reference;
COMMENT ON MACRO TABLE mart.reference_break IS
  'Reference prices beside their basis, for relations given by name: whether they differ by more than the '
  'noise of their day, and whether that day is a fault of the source: part of adjustment_candidate.';
