-- grain: one row per day of a user's file, with its rows. Reads file_record
SELECT CAST(day AS VARCHAR) AS day, CAST(count(*) AS INTEGER) AS rows
FROM file_record
WHERE day IS NOT NULL
GROUP BY day
ORDER BY day;
