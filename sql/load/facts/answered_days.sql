-- Returns the first and the last session answered
-- reads: session_answer
SELECT min(day) AS first_day, max(day) AS last_day FROM session_answer;
