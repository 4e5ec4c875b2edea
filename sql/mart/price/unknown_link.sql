-- grain: one row per symbol and session from first_day to last_day whose adjustment to the session before is
--   not known, with the reason
-- breaks, events, bands, summaries: names of relations shaped like mart.reference_break,
-- mart.adjustment_event, market.price_limit and market.daily_summary.
-- inexact: the factor of an event contains the move of sessions of which nothing is known, unless a
-- declaration agrees with it by the tick; or a declaration of money has no basis that is compared. A
-- declaration of shares alone needs no price: its factor is exact.
CREATE OR REPLACE MACRO mart.unknown_link(breaks, events, bands, summaries, first_day, last_day) AS TABLE
WITH session AS (
  SELECT symbol, trading_date FROM query_table(bands)
  WHERE trading_date BETWEEN CAST(first_day AS DATE) AND CAST(last_day AS DATE)
  UNION
  SELECT symbol, trading_date FROM query_table(summaries)
  WHERE trading_date BETWEEN CAST(first_day AS DATE) AND CAST(last_day AS DATE)
), link AS (
  SELECT session.symbol, session.trading_date, CASE
    WHEN event.state = 'contradicted' THEN 'contradicted'
    WHEN event.state = 'declared' AND compared.symbol IS NOT NULL AND NOT compared.market_wide
      AND NOT compared.is_fault AND event.factor = 1 AND event.declared_factor <> 1 THEN 'not_shown'
    WHEN event.state = 'confirmed' AND event.factor = event.observed_factor THEN NULL
    WHEN (compared.open_move > 0 AND (compared.is_event OR event.declared_factor IS NOT NULL)
        OR compared.symbol IS NULL AND event.declared_factor IS NOT NULL)
      AND NOT coalesce(event.kinds NOT SIMILAR TO '.*(cash_dividend|rights).*'
        AND event.factor = event.declared_factor, false) THEN 'inexact'
    WHEN event.state = 'confirmed' OR compared.is_event THEN NULL
    WHEN event.state = 'declared' AND event.declared_factor IS NOT NULL THEN NULL
    WHEN compared.symbol IS NULL OR compared.is_unknown THEN 'not_compared'
    WHEN compared.market_wide THEN 'market_wide'
    WHEN compared.differs AND compared.factor > 1 AND NOT compared.is_fault THEN 'rise'
    WHEN compared.is_beyond_limit AND NOT compared.differs THEN 'beyond_limit'
  END AS reason
  FROM session
  LEFT JOIN query_table(breaks) compared
    ON compared.symbol = session.symbol AND compared.ex_date = session.trading_date
  LEFT JOIN query_table(events) event
    ON event.symbol = session.symbol AND event.ex_date = session.trading_date
)
SELECT symbol, trading_date, reason
FROM link
WHERE reason IS NOT NULL;
COMMENT ON MACRO TABLE mart.unknown_link IS
  'Sessions whose adjustment to the session before is not known, for relations given by name: part of '
  'chain_gap.';
