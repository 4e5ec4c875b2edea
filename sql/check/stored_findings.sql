-- grain: one row per finding of the days given, of the market or of accounts
SELECT rule, subject, CAST(trading_date AS VARCHAR) AS day, state, severity, judged, offenders, relations,
  note
FROM recon.finding
WHERE list_contains([$days]::DATE[], trading_date) AND (subject = 'market') = $is_session
ORDER BY trading_date, rule, subject;
