-- Whether every board's list is complete: only then does absence mean delisted
-- reads: session_answer
-- writes: variable all_boards
SET VARIABLE all_boards = (
  SELECT count(DISTINCT key) = len($boards) FROM session_answer
  WHERE state = 'complete' AND list_contains($boards, key)
);
