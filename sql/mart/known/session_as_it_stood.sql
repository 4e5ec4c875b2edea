-- grain: one row per symbol and trading_date of a relation whose row was there at the instant and was changed
--   or withdrawn after it
-- mart.as_it_stood with its key taken apart. A macro, where a CTE is as short: DuckDB 1.5 materializes a CTE
-- that is read twice, and then reads every column of the relation beside it (it forgets NOT MATERIALIZED in a
-- stored macro).
CREATE OR REPLACE MACRO mart.session_as_it_stood(of_relation, instant) AS TABLE
SELECT json_extract_string(former.key, '$.symbol') AS symbol,
  CAST(json_extract_string(former.key, '$.trading_date') AS DATE) AS trading_date,
  former.texts, former.is_whole, former.request_id, former.loaded_at
FROM mart.as_it_stood(of_relation, instant) former;
COMMENT ON MACRO TABLE mart.session_as_it_stood IS
  'Rows by symbol and session that were changed or withdrawn after an instant, as they stood then: part of '
  'the as_known_on macros.';
