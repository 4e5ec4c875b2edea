-- By what a bar's weight falls with each later bar in an exponential moving average of so many bars.
CREATE OR REPLACE MACRO mart.ema_decay(length) AS (
  (length - 1) / (length + 1)
);
COMMENT ON MACRO mart.ema_decay IS
  'By what a bar''s weight falls with each later bar in an exponential moving average of so many bars: a '
  'factor.';
