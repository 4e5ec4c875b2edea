-- grain: one row per symbol that no list names now, and of which a service may have sessions of a range: rows
--   of the range name it, or lists did within the range or later. Bound: first and last day
SELECT symbol FROM market.daily_summary WHERE trading_date BETWEEN $1::DATE AND $2::DATE
UNION
SELECT symbol FROM market.price_limit WHERE trading_date BETWEEN $1::DATE AND $2::DATE
UNION
SELECT symbol FROM market.security WHERE last_seen >= $1::DATE
EXCEPT
SELECT symbol FROM market.security WHERE is_listed
ORDER BY symbol
