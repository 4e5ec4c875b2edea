-- Written by make sql from data/reference (docs/rulebook.md).
-- What the exchange sets the reference price of a day from: close, average (weighted, rounded to the tick) or
-- settlement of the session before. The first rule of a board counts for the days before it too.
CREATE OR REPLACE MACRO mart.reference_kind(board, day) AS (
  CASE
    WHEN board = 'DERIVATIVE' THEN 'settlement'
    WHEN board = 'HNX' AND day <= DATE '2013-07-28' THEN 'average'
    WHEN board = 'UPCOM' THEN 'average'
    ELSE 'close'
  END
);
COMMENT ON MACRO mart.reference_kind IS
  'What the reference price of a day is set from: close, average or settlement of the session before.';
