-- grain: one row per session to check: when what is stored of it last changed. Of rows their arrival, of
--   what the service answered the start of the run, which its ids begin with. It is the same whenever the
--   session is checked: recon.finding.since.
INSERT INTO evidence_arrival
WITH arrival AS (
  SELECT trading_date, max(loaded_at) AS arrived_at FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last') GROUP BY trading_date
  UNION ALL
  SELECT trading_date, max(loaded_at) FROM market.price_limit
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last') GROUP BY trading_date
  UNION ALL
  SELECT trading_date, max(loaded_at) FROM market.index_summary
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last') GROUP BY trading_date
  UNION ALL
  SELECT trading_date, max(loaded_at) FROM market.candle
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last') GROUP BY trading_date
  UNION ALL
  SELECT trading_date,
    timezone('UTC', try_strptime(left(max(request_id), 18), '%Y%m%dT%H%M%S%gZ'))
  FROM audit_answer GROUP BY trading_date
)
SELECT 'market', trading_date, max(arrived_at) FROM arrival SEMI JOIN audit_session USING (trading_date)
GROUP BY trading_date;
