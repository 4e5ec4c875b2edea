-- A check's result depends on what is stored, not on when it was checked: so does since when it holds.
COMMENT ON COLUMN recon.finding.since IS 'When what is stored of the session, or of the account''s snapshot, last changed: the result holds since then. Null where nothing is stored.';
