-- Five times the usual volume was matched
-- key: symbol, trading_date
--
-- usual is the median of the 20 sessions before; symbols below 100,000 shares a session are left out.
WITH recent AS (
  SELECT symbol, trading_date, total_match, median(total_match) OVER former AS usual,
    count(*) OVER former AS sessions
  FROM market.daily_summary
  WHERE trading_date >= mart.latest_session() - 45
  WINDOW former AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN 20 PRECEDING AND 1 PRECEDING)
)
SELECT symbol, trading_date, total_match, usual
FROM recent
WHERE trading_date = mart.latest_session() AND sessions >= 10 AND usual >= 100000 AND total_match >= 5 * usual
ORDER BY symbol
