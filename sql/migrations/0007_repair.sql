-- A job of its own asks again what is incomplete or broken.
COMMENT ON COLUMN ops.run.job IS 'nightly, backfill, snapshot, repair, replay or publish.';
