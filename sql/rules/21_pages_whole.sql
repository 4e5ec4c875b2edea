-- grain: one row per dataset, key, timeframe and session that was answered with counts
-- rule: 21
-- title: rows received are what the service counted, on every page
-- severity: error
-- about: market
-- reach: back 0 days, forward 0 days
-- per: symbol
-- needs: an answer whose pages show how many records there are
-- silence: where answers showed their numbers of records within 45 days, they no longer do: nothing shows
--   that they are whole; a service that never showed them has nothing to check
-- why: what is short is not the session. Pages that slide repeat records, so a complete answer may have
--   received more than were counted, never fewer; an incomplete one broke its own counts where its reason
--   shows so. Other reasons for asking again (before the close, restated, rejected records) are no fault of
--   its pages. A page number that does not fit is soft: services report the page size that was requested, or
--   the one they serve
-- evidence: none measured, HOSE
-- evidence: none measured, HNX
-- evidence: none measured, UPCOM
-- evidence: none measured, DERIVATIVE
-- tolerance: none
WITH page AS (
  SELECT *, max(row_count) OVER (PARTITION BY walk) AS served, count(*) OVER (PARTITION BY walk) AS pages,
    -- the page after the last one counts nothing
    row_count > 0 OR page = 1 AS counts
  FROM audit_page
), walk AS (
  SELECT walk, sum(row_count) AS rows, count(*) AS pages,
    min(items_count) FILTER (counts) AS fewest, max(items_count) FILTER (counts) AS most,
    max(pages_count) FILTER (counts) AS reported_pages,
    coalesce(bool_or(pages_count
      NOT IN (ceil(items_count / page_size), ceil(items_count / nullif(served, 0)), pages))
      FILTER (counts AND items_count > 0 AND page_size > 0 AND pages_count IS NOT NULL), false) AS odd
  FROM page GROUP BY walk
), answer AS (
  SELECT answer.*, walk.* EXCLUDE (walk),
    answer.state = 'incomplete'
      AND regexp_matches(answer.reason,
        '^(count changed|\d+ rows where itemsCount|page \d+ repeats|no end after)') AS contradicted
  FROM audit_answer answer JOIN audit_page USING (request_id) JOIN walk USING (walk)
  WHERE answer.state IN ('complete', 'empty', 'incomplete')
)
SELECT trading_date, 'market' AS subject,
  dataset_relation(dataset) AS relation,
  CAST(json_object('dataset', dataset, 'key', key, 'timeframe', timeframe, 'trading_date',
    CAST(trading_date AS VARCHAR)) AS VARCHAR) AS key,
  concat_ws(' on ', most || ' rows', reported_pages || ' pages') AS expected,
  rows || ' rows on ' || pages || ' pages' || CASE
    WHEN contradicted THEN ': ' || reason
    WHEN fewest <> most THEN ': counted ' || fewest || ', then ' || most
    ELSE ''
  END AS actual,
  rows - most AS residual,
  CASE
    WHEN contradicted OR fewest <> most OR rows < most THEN 'break'
    WHEN most IS NULL THEN NULL
    WHEN odd THEN 'soft'
    ELSE 'pass'
  END AS result
FROM answer
