-- Written by make sql from data/reference (docs/rulebook.md).
-- Lots from which open and close of a day lie within its low and high; null if not measured.
CREATE OR REPLACE MACRO mart.ordered_prices(board, day) AS (
  CASE
    WHEN board = 'DERIVATIVE' AND day >= DATE '2024-04-01' THEN 1
    WHEN board = 'HNX' AND day >= DATE '2024-04-01' THEN 1
    WHEN board = 'HOSE' AND day >= DATE '2024-04-01' THEN 1
    WHEN board = 'UPCOM' AND day >= DATE '2024-04-01' THEN 1
  END
);
COMMENT ON MACRO mart.ordered_prices IS
  'Lots from which open and close of a day lie within its low and high; null if not measured.';
