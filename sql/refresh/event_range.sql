-- grain: one row: the trading dates whose adjustment events may have changed
-- A partition is a session, a month or a year.
-- A declaration may name a day up to 15 days from that of the break (mart.corporate_event).
WITH dirty AS (
  SELECT partition,
    CAST(partition || CASE length(partition) WHEN 4 THEN '-01-01' WHEN 7 THEN '-01' ELSE '' END
      AS DATE) AS day
  FROM ops.dirty_partition
  WHERE partition <> 'all'
    AND relation IN ('market.price_limit', 'market.daily_summary', 'ops.coverage', 'mart.adjustment_event',
      'mart.reference_glitch', 'mart.chain_gap')
), changed_day AS (
  SELECT day AS first_day,
    CASE length(partition)
      WHEN 4 THEN make_date(year(day), 12, 31)
      WHEN 7 THEN last_day(day)
      ELSE day
    END AS last_day
  FROM dirty
)
SELECT CAST(min(first_day) - 15 AS VARCHAR) AS first,
  CAST(max(last_day) + 15 + $oldest_basis AS VARCHAR) AS last
FROM changed_day;
