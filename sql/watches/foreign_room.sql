-- Foreigners own 95 percent or more of what they may own
-- key: symbol
--
-- A symbol is reported once, however long it stays so. With trading_date in the key: every session.
SELECT symbol, trading_date, remain_foreign_room, total_foreign_room,
  round(1 - remain_foreign_room / total_foreign_room, 4) AS used
FROM market.daily_summary
WHERE trading_date = mart.latest_session() AND total_foreign_room > 0 AND used >= 0.95
ORDER BY symbol
