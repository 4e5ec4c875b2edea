-- The bars of the touched symbols as they were before the runs being checked, in place of all bars.
SET VARIABLE audit_before = true;
CREATE OR REPLACE TEMP VIEW audit_candle AS
SELECT * EXCLUDE (is_new) FROM touched_bar WHERE NOT is_new;
CREATE OR REPLACE TEMP TABLE audit_bar_coverage AS
FROM touched_coverage WHERE NOT is_new;
