-- Returns the first and the last session of the batch
-- reads: session_answer
SELECT min(day) AS first_day, max(day) AS last_day FROM session_answer;
