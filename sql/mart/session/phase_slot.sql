-- The minute that labels a bar of a phase: counted from its anchor in steps of length minutes; a trade at the
-- very end of the phase belongs to its last bar. Anchor and last_minute as in mart.trading_minute.
CREATE OR REPLACE MACRO mart.phase_slot(minute, anchor, last_minute, length) AS (
  anchor + (least(minute, last_minute) - anchor) // length * length
);
COMMENT ON MACRO mart.phase_slot IS
  'Minute that labels the bar of length minutes which a minute of continuous trading belongs to.';
