-- Smallest price step at a price: VND, or index points for futures; null where no ladder is known. The ladder
-- is data/reference/ticks.csv (a test compares them): it is written out here, since the catalog carries no
-- files.
CREATE OR REPLACE MACRO mart.tick_size(board, kind, price) AS (
  CASE
    WHEN kind = 'future' AND board = 'DERIVATIVE' THEN 0.1
    WHEN kind = 'stock' AND board = 'HOSE' THEN CASE
      WHEN price >= 50000 THEN 100
      WHEN price >= 10000 THEN 50
      ELSE 10
    END
    WHEN kind IN ('etf', 'covered_warrant') AND board = 'HOSE' THEN 10
    WHEN kind = 'etf' AND board = 'HNX' THEN 1
    WHEN kind = 'stock' AND board IN ('HNX', 'UPCOM') THEN 100
  END
);
COMMENT ON MACRO mart.tick_size IS
  'Smallest price step at a price: VND, index points for futures; null where no ladder is known.';
