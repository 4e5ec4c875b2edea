-- grain: one row per index, member and validity that touches $first_day to $last_day, by the index lists
-- last_session: the last stored session of it; a member that left and came back has several rows.
SELECT mart.plain_index_code(index_code) AS index_code, symbol,
  CAST(greatest(valid_from, $first_day) AS VARCHAR) AS first_session,
  CAST(least(coalesce(valid_to - 1, $last_day), $last_day) AS VARCHAR) AS last_session
FROM market.index_member
WHERE valid_from <= $last_day AND coalesce(valid_to > $first_day, true)
ORDER BY index_code, symbol, first_session
