-- A fill has a price outside the prices of its session
-- key: account_no, order_id, trading_date
--
-- Averages are rounded: half a VND beyond is not outside. Sessions with put-through trades are left out.
SELECT fill.account_no, fill.order_id, fill.trading_date, fill.symbol, fill.side, fill.quantity, fill.price,
  summary.low, summary.high
FROM mart.account_fill fill
JOIN market.daily_summary summary
  ON summary.symbol = fill.symbol AND summary.trading_date = fill.trading_date
WHERE fill.quantity > 0 AND summary.low > 0 AND coalesce(summary.total_deal, 0) = 0
  AND (fill.price < summary.low - 0.5 / fill.multiplier OR fill.price > summary.high + 0.5 / fill.multiplier)
ORDER BY ALL
