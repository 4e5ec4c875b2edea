-- grain: one row per window of the market that would bring rows behind an open finding again
-- Bound: the first and the last trading date
WITH open_finding AS (
  SELECT rule, subject, trading_date, offenders
  FROM recon.finding
  WHERE state = 'break' AND accepted IS NULL AND trading_date BETWEEN ?::DATE AND ?::DATE
), stored_offender AS (
  SELECT rule, subject, trading_date, count(*) AS rows
  FROM recon.offender SEMI JOIN open_finding USING (rule, subject, trading_date)
  GROUP BY ALL
)
SELECT finding.rule, relation,
  concat_ws(' ', finding.rule, subject, trading_date) AS "findingName",
  json_extract_string(offender.key, '$.symbol') AS symbol,
  json_extract_string(offender.key, '$.index_code') AS "index",
  json_extract_string(offender.key, '$.timeframe') AS timeframe,
  coalesce(json_extract_string(offender.key, '$.trading_date'), CAST(trading_date AS VARCHAR)) AS day,
  json_extract_string(offender.key, '$.dataset') AS dataset,
  json_extract_string(offender.key, '$.key') AS key,
  -- whether the finding has more offenders than are stored
  stored_offender.rows < finding.offenders AS cut,
  bool_or(withheld_key IS NOT NULL) AS withholds
FROM recon.offender offender
JOIN open_finding finding USING (rule, subject, trading_date)
JOIN stored_offender USING (rule, subject, trading_date)
WHERE offender.state = 'break' AND (relation LIKE 'market.%' OR relation = 'ops.coverage')
GROUP BY ALL
ORDER BY ALL;
