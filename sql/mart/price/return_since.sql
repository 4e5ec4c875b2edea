-- The return from an earlier close to a later one, corporate actions between them taken out: log_adjustment
-- is the sum of the logarithms of all factors up to the session, in whole numbers of 1e-15.
CREATE OR REPLACE MACRO mart.return_since(close, log_adjustment, earlier_close, earlier_adjustment) AS (
  CAST(close AS DOUBLE) / (CAST(earlier_close AS DOUBLE)
    * exp(CAST(log_adjustment - earlier_adjustment AS DOUBLE) / 1e15)) - 1
);
COMMENT ON MACRO mart.return_since IS
  'Return from an earlier close to a later one, a fraction; log_adjustment is the sum of the logarithms of '
  'adjustment factors up to each, times 1e15.';
