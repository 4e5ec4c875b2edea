-- A broken rule withholds the rows that it names, not their session: each offender states which.
ALTER TABLE recon.offender ADD COLUMN IF NOT EXISTS withheld_key VARCHAR;
COMMENT ON COLUMN recon.offender.withheld_key IS 'Symbol, or code of an index, whose rows of this relation and session are withheld because of this row; * where the whole session is; null where nothing is withheld because of it.';
COMMENT ON COLUMN recon.offender.state IS 'break or soft. A break on a board on which the rule only warns withholds nothing: withheld_key is null.';
COMMENT ON COLUMN recon.finding.severity IS 'error: a break withholds what the rule names from publication (recon.offender.withheld_key); warn: it is reported. A rule of severity error that breaks only on a board where it warns is warn.';
