-- grain: one row per closed weekday: the packaged calendar, with the days of the user's own one in place of
-- its days. A day that the user names a session is in neither. Where the user announces a year (five closed
-- weekdays beside the fixed holidays), its days that are only inferred are sessions. Running it again
-- changes nothing.
DELETE FROM mart.closed_day
WHERE day IN (SELECT user_day.day FROM (SELECT unnest(from_json($days, '[{"day": "DATE"}]')) AS user_day));
INSERT INTO mart.closed_day (day, closed_for, source, certainty)
SELECT user_day.day, user_day.closed_for, user_day.source, 'user'
FROM (
  SELECT unnest(from_json($days,
    '[{"day": "DATE", "is_session": "BOOLEAN", "closed_for": "VARCHAR", "source": "VARCHAR"}]')) AS user_day
)
WHERE NOT user_day.is_session AND isodow(user_day.day) <= 5;
DELETE FROM mart.closed_day
WHERE certainty = 'inferred' AND year(day) IN (
  SELECT year(announced.day)
  FROM mart.closed_day announced
  WHERE isodow(announced.day) <= 5
    AND strftime(announced.day, '%m-%d') NOT IN (SELECT month_day FROM mart.fixed_holiday())
  GROUP BY year(announced.day)
  HAVING count_if(announced.certainty = 'user') >= 5 AND count_if(announced.certainty = 'published') = 0);
