-- grain: one row per symbol that was listed on a day, those delisted since included
-- told_by session: the price limits or daily summaries of that day name it (mart.listing). told_by list: the day is not
-- held (no session, or not fetched), or the whole market's answer of it is not, so that what it lacks may have been
-- listed too. Then a symbol counts from its first trading date (else the first list that named it; sooner where price
-- limits or a summary show it) to its last trading date, else, once the lists no longer name it, to the last day it was seen.
-- Who was delisted before anything was held is in no answer of the API: a day before the first session held is told by
-- what was listed later, and lacks those that had left by then. That bias shows as told_by list.
-- The board of that day: its price limits, else the security list as it said on that day, else the price limits next
-- before it, next after it, else the list as last known. Names and industry: as the lists said on that day, else as
-- last known.
CREATE OR REPLACE MACRO mart.universe_as_of(day) AS TABLE
WITH told AS (
  SELECT symbol, board FROM mart.listing WHERE trading_date = CAST(day AS DATE)
), whole AS (
  -- Price limits name all that is listed; a service that is asked symbol by symbol never says that this was all.
  FROM ops.coverage
  WHERE dataset IN ('masterdata', 'securitiesSummary') AND key = '*' AND window_from = CAST(day AS DATE)
    AND state = 'complete' AND EXISTS (FROM told)
), seen AS (
  SELECT symbol, min(trading_date) AS first_day, max(trading_date) AS last_day,
    arg_max(upper(exchange), trading_date) FILTER (WHERE trading_date < CAST(day AS DATE)) AS board_before,
    arg_min(upper(exchange), trading_date) FILTER (WHERE trading_date > CAST(day AS DATE)) AS board_after
  FROM market.price_limit GROUP BY symbol
), summarised AS (
  SELECT symbol, min(trading_date) AS first_day, max(trading_date) AS last_day FROM market.daily_summary GROUP BY symbol
), history AS (
  SELECT * FROM market.security_history
  WHERE valid_from <= CAST(day AS DATE) AND coalesce(valid_to, DATE '9999-12-31') > CAST(day AS DATE)
), named AS (
  SELECT symbol FROM told
  UNION
  SELECT symbol FROM market.security WHERE NOT EXISTS (FROM whole)
  UNION
  SELECT symbol FROM seen WHERE NOT EXISTS (FROM whole)
  UNION
  SELECT symbol FROM summarised WHERE NOT EXISTS (FROM whole)
), beside AS (
  SELECT named.symbol, told.symbol IS NOT NULL AS is_told,
    coalesce(told.board, upper(history.board), seen.board_before, seen.board_after, upper(security.board)) AS board,
    -- a list may say the first trading date on the present board: what was seen before it counts
    least(coalesce(security.first_trading_date, security.first_seen), seen.first_day, summarised.first_day) AS first_day,
    CASE
      WHEN security.last_trading_date IS NOT NULL THEN security.last_trading_date
      WHEN security.is_listed THEN DATE '9999-12-31'
      ELSE greatest(security.last_seen, seen.last_day, summarised.last_day)
    END AS last_day,
    security.cw_underlying_symbol,
    CASE WHEN history.symbol IS NULL THEN security.symbol_name_vi ELSE history.symbol_name_vi END AS symbol_name_vi,
    CASE WHEN history.symbol IS NULL THEN security.symbol_name_en ELSE history.symbol_name_en END AS symbol_name_en,
    CASE WHEN history.symbol IS NULL THEN security.icb_code ELSE history.icb_code END AS icb_code,
    CASE WHEN history.symbol IS NULL THEN security.icb_name ELSE history.icb_name END AS icb_name
  FROM named
  LEFT JOIN told ON told.symbol = named.symbol
  LEFT JOIN history ON history.symbol = named.symbol
  LEFT JOIN market.security security ON security.symbol = named.symbol
  LEFT JOIN seen ON seen.symbol = named.symbol
  LEFT JOIN summarised ON summarised.symbol = named.symbol
)
SELECT symbol, mart.instrument_kind(symbol, cw_underlying_symbol) AS kind, board, symbol_name_vi, symbol_name_en, icb_code,
  icb_name, CASE WHEN is_told THEN 'session' ELSE 'list' END AS told_by
FROM beside
WHERE is_told OR CAST(day AS DATE) BETWEEN first_day AND last_day;
COMMENT ON MACRO TABLE mart.universe_as_of IS 'Who was listed on a day, those delisted since included: symbol, kind, board of that day, names, industry, and whether the session itself (told_by session) or the security lists (list) tell it.';
