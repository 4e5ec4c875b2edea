-- Whether the lists of all boards are complete: only then a symbol that no list names is delisted
-- reads: session_answer
-- writes: variable all_boards
SET VARIABLE all_boards = (
  SELECT count(DISTINCT key) = len($boards) FROM session_answer
  WHERE state = 'complete' AND list_contains($boards, key)
);
