-- grain: one row per symbol that the security lists gained, lost, or moved to another board since $before
WITH validity AS (
  SELECT symbol, board, valid_from,
    lag(board) OVER (PARTITION BY symbol ORDER BY valid_from) AS board_before
  FROM market.security_history
)
SELECT 'listed' AS event, symbol, board, NULL AS board_before, symbol_name_en AS name,
  first_seen AS trading_date
FROM market.security
WHERE first_seen > $before AND first_seen <= $day
UNION ALL
SELECT 'no longer listed', symbol, board, NULL, symbol_name_en, last_seen
FROM market.security
WHERE NOT is_listed AND last_seen >= $before AND last_seen < $day
UNION ALL
SELECT 'moved', validity.symbol, validity.board, board_before, security.symbol_name_en, valid_from
FROM validity
LEFT JOIN market.security security USING (symbol)
WHERE board_before <> validity.board AND valid_from > $before AND valid_from <= $day
ORDER BY event, symbol;
