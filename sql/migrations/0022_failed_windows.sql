-- A window that was refused is not thereby beyond what the service serves: the ledger keeps why a window got no answer, and
-- in how many runs in a row.
ALTER TABLE ops.coverage ADD COLUMN IF NOT EXISTS failed_runs INTEGER;

COMMENT ON COLUMN ops.coverage.state IS 'complete, empty (the service says there is nothing), incomplete (requested again), refused (beyond a limit that the API documents: there is nothing to request) or imported (rows of a user''s file; the service was not asked).';
COMMENT ON COLUMN ops.coverage.failed_runs IS 'Runs in a row in which the window failed or was refused; null if its last answer was usable. The longer it lasts, the fewer requests a run spends on it.';
