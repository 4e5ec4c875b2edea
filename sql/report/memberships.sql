-- grain: one row per index and symbol that joined or left it since the night before
SELECT index_code, symbol, valid_from > $before AS has_joined,
  CASE WHEN valid_from > $before THEN valid_from ELSE valid_to END AS trading_date
FROM market.index_member
WHERE valid_from > $before AND valid_from <= $day AND (valid_to IS NULL OR valid_to > $day)
  OR valid_to > $before AND valid_to <= $day AND valid_from <= $before
ORDER BY index_code, has_joined, symbol;
