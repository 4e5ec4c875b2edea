-- By what a change's weight falls with each later bar in Wilder's smoothing over so many bars.
CREATE OR REPLACE MACRO mart.wilder_decay(length) AS (
  (length - 1) / length
);
COMMENT ON MACRO mart.wilder_decay IS
  'By what a change''s weight falls with each later bar in Wilder''s smoothing over so many bars: a factor.';
