-- grain: one row per index summary
-- rule: 17
-- title: matched + put-through = traded, of an index
-- severity: warn
-- about: market
-- reach: back 45 days, forward 0 days
-- needs: index summaries with totals; a total_trade that counts trades is not checked
-- why: the parts make the whole; whether total_trade is a volume or counts trades differs between
--   deployments, so it is learnt from all indexes of the session and of 20 sessions before: a volume where
--   most add up, a count where none does, and soft in between. The value is always a sum
-- evidence: none measured
-- tolerance: 1 VND, for fractions, and what a DOUBLE rounds
WITH recent_summary AS (
  SELECT *, num(total_match) + num(total_deal) AS volume,
    num(total_match_value) + num(total_deal_value) AS value
  FROM market.index_summary
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
), session_count AS (
  SELECT trading_date, count_if(volume = num(total_trade)) AS equal_sums,
    count(volume + num(total_trade)) AS compared_sums
  FROM recent_summary WHERE total_match > 0 GROUP BY trading_date
), learned_count AS (
  SELECT trading_date, sum(equal_sums) AS equal_sums, sum(compared_sums) AS compared_sums
  FROM (
    SELECT audit_session.trading_date, equal_sums, compared_sums
    FROM audit_session
    JOIN session_count
      ON session_count.trading_date BETWEEN audit_session.trading_date - getvariable('audit_back')
        AND audit_session.trading_date
    QUALIFY row_number() OVER (PARTITION BY audit_session.trading_date
      ORDER BY session_count.trading_date DESC) <= 21
  ) GROUP BY trading_date
), comparison AS (
  SELECT recent_summary.*, volume - num(total_trade) AS volume_off,
    value - num(total_trade_value) AS value_off,
    abs(value_off) <= 1 + 1e-12 * value AS value_fits,
    CASE
      WHEN equal_sums * 2 > compared_sums THEN 'volume'
      WHEN equal_sums > 0 THEN 'unsure'
      ELSE 'count'
    END AS meaning
  FROM recent_summary SEMI JOIN audit_session USING (trading_date)
  LEFT JOIN learned_count USING (trading_date)
)
SELECT trading_date, 'market' AS subject, 'market.index_summary' AS relation,
  index_key(index_code, trading_date) AS key,
  concat_ws(', ', CASE WHEN meaning <> 'count' THEN 'volume ' || as_text(volume) END,
    'value ' || as_text(value)) AS expected,
  CASE
    WHEN meaning = 'count' AND value_fits IS NULL
      THEN 'total_trade counts trades here: no index of 21 sessions adds up'
    ELSE concat_ws(', ', CASE WHEN meaning <> 'count' THEN 'volume ' || as_text(total_trade) END,
      'value ' || as_text(total_trade_value))
  END AS actual,
  CASE WHEN meaning <> 'count' AND volume_off <> 0 THEN -volume_off ELSE -value_off END AS residual,
  CASE
    WHEN NOT value_fits OR volume_off <> 0 AND meaning = 'volume' THEN 'break'
    WHEN volume_off <> 0 AND meaning = 'unsure' THEN 'soft'
    WHEN value_fits OR volume_off = 0 THEN 'pass'
    WHEN volume_off IS NOT NULL THEN 'not_evaluable'
  END AS result
FROM comparison
