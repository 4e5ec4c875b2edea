-- Returns one line per session that is not complete after the batch: key, timeframe, day and reason
-- reads: session_answer
SELECT trim(key || ' ' || timeframe) || ' ' || day || ': ' || coalesce(reason, state) AS line
FROM session_answer
WHERE state = 'incomplete'
ORDER BY ALL;
