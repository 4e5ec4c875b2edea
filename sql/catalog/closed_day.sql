-- grain: one row per closed weekday: the packaged calendar, with the days of the user's own one in place of
-- its
--   days. A day that the user names a session is in neither. Running it again changes nothing.
DELETE FROM mart.closed_day
WHERE day IN (SELECT user_day.day FROM (SELECT unnest(from_json($days, '[{"day": "DATE"}]')) AS user_day));
INSERT INTO mart.closed_day (day, closed_for, source)
SELECT user_day.day, user_day.closed_for, user_day.source
FROM (
  SELECT unnest(from_json($days,
    '[{"day": "DATE", "is_session": "BOOLEAN", "closed_for": "VARCHAR", "source": "VARCHAR"}]')) AS user_day
)
WHERE NOT user_day.is_session AND isodow(user_day.day) <= 5;
