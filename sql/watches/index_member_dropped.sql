-- An index has lost a member
-- key: index_code, symbol, valid_to
SELECT index_code, symbol, valid_from, valid_to
FROM market.index_member
WHERE valid_to IS NOT NULL
ORDER BY ALL
