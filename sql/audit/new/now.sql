-- The bars of the touched symbols as they are, in place of all bars. former_offender and former_rounding
-- have what the check before them found.
CREATE OR REPLACE TEMP TABLE former_offender AS
FROM offender;
CREATE OR REPLACE TEMP TABLE former_rounding AS
FROM audit_bar_rounding;
CREATE OR REPLACE TEMP TABLE offender AS
FROM recon.offender LIMIT 0;
SET VARIABLE audit_before = false;
CREATE OR REPLACE TEMP VIEW audit_candle AS
SELECT * EXCLUDE (is_new) FROM touched_bar;
CREATE OR REPLACE TEMP TABLE audit_bar_coverage AS
FROM touched_coverage;
