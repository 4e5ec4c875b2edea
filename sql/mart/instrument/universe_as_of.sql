-- grain: one row per symbol that was listed on a day, those delisted since included
-- told_by session: the price limits or daily summaries of that day name it (mart.listing). told_by list: the
-- day is not stored (no session, or not fetched), or the whole market's answer of it is not, so that what it
-- lacks may have been listed too. Then a symbol counts from its first trading date (else the first list that
-- named it; sooner where price limits or a summary show it) to its last trading date, else, once the lists no
-- longer name it, to the last day it was seen. Who was delisted before anything was stored is in no answer of
-- the API: a day before the first session stored is reported by what was listed later, and lacks those that
-- had left by then. That bias shows as told_by list. The board of that day: its price limits, else the
-- security list as it was on that day, else the price limits next before it, next after it, else the list as
-- last known. Names and industry: as the lists stated on that day, else as last known.
CREATE OR REPLACE MACRO mart.universe_as_of(day) AS TABLE
WITH listed_symbol AS (
  SELECT symbol, board FROM mart.listing WHERE trading_date = CAST(day AS DATE)
), complete_answer AS (
  -- Price limits name all that is listed; a service that answers per symbol never shows that this was all.
  FROM ops.coverage
  WHERE dataset IN ('masterdata', 'securitiesSummary') AND key = '*' AND window_from = CAST(day AS DATE)
    AND state = 'complete' AND EXISTS (FROM listed_symbol)
), limit_range AS (
  SELECT symbol, min(trading_date) AS first_day, max(trading_date) AS last_day,
    arg_max(upper(exchange), trading_date) FILTER (WHERE trading_date < CAST(day AS DATE)) AS board_before,
    arg_min(upper(exchange), trading_date) FILTER (WHERE trading_date > CAST(day AS DATE)) AS board_after
  FROM market.price_limit GROUP BY symbol
), summary_range AS (
  SELECT symbol, min(trading_date) AS first_day, max(trading_date) AS last_day
  FROM market.daily_summary GROUP BY symbol
), security_validity AS (
  SELECT * FROM market.security_history
  WHERE valid_from <= CAST(day AS DATE) AND coalesce(valid_to, DATE '9999-12-31') > CAST(day AS DATE)
), candidate_symbol AS (
  SELECT symbol FROM listed_symbol
  UNION
  SELECT symbol FROM market.security WHERE NOT EXISTS (FROM complete_answer)
  UNION
  SELECT symbol FROM limit_range WHERE NOT EXISTS (FROM complete_answer)
  UNION
  SELECT symbol FROM summary_range WHERE NOT EXISTS (FROM complete_answer)
), candidate AS (
  SELECT candidate_symbol.symbol, listed_symbol.symbol IS NOT NULL AS is_in_session,
    coalesce(listed_symbol.board, upper(security_validity.board), limit_range.board_before,
      limit_range.board_after, upper(security.board)) AS board,
    -- a list may have the first trading date on the present board: what was seen before it counts
    least(coalesce(security.first_trading_date, security.first_seen), limit_range.first_day,
      summary_range.first_day) AS first_day,
    CASE
      WHEN security.last_trading_date IS NOT NULL THEN security.last_trading_date
      WHEN security.is_listed THEN DATE '9999-12-31'
      ELSE greatest(security.last_seen, limit_range.last_day, summary_range.last_day)
    END AS last_day,
    security.cw_underlying_symbol,
    CASE
      WHEN security_validity.symbol IS NULL THEN security.symbol_name_vi
      ELSE security_validity.symbol_name_vi
    END AS symbol_name_vi,
    CASE
      WHEN security_validity.symbol IS NULL THEN security.symbol_name_en
      ELSE security_validity.symbol_name_en
    END AS symbol_name_en,
    CASE
      WHEN security_validity.symbol IS NULL THEN security.icb_code
      ELSE security_validity.icb_code
    END AS icb_code,
    CASE
      WHEN security_validity.symbol IS NULL THEN security.icb_name
      ELSE security_validity.icb_name
    END AS icb_name
  FROM candidate_symbol
  LEFT JOIN listed_symbol ON listed_symbol.symbol = candidate_symbol.symbol
  LEFT JOIN security_validity ON security_validity.symbol = candidate_symbol.symbol
  LEFT JOIN market.security security ON security.symbol = candidate_symbol.symbol
  LEFT JOIN limit_range ON limit_range.symbol = candidate_symbol.symbol
  LEFT JOIN summary_range ON summary_range.symbol = candidate_symbol.symbol
)
SELECT symbol, mart.instrument_kind(symbol, cw_underlying_symbol) AS kind, board, symbol_name_vi,
  symbol_name_en, icb_code,
  icb_name, CASE WHEN is_in_session THEN 'session' ELSE 'list' END AS told_by
FROM candidate
WHERE is_in_session OR CAST(day AS DATE) BETWEEN first_day AND last_day;
COMMENT ON MACRO TABLE mart.universe_as_of IS
  'Who was listed on a day, those delisted since included: symbol, kind, board of that day, names, '
  'industry, and whether the session itself (told_by session) or the security lists (list) tell it.';
