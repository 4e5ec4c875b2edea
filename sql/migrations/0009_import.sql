-- A job of its own brings a user's own history from a file; its sessions are covered by a state of their own.
COMMENT ON COLUMN ops.run.job IS 'nightly, backfill, snapshot, repair, import, replay or publish.';
COMMENT ON COLUMN ops.request.endpoint IS 'Endpoint of the API; import where the page came from a user''s file.';
COMMENT ON COLUMN ops.request.query IS 'Query sent, a JSON object; of an import the file''s name, sha256 and bytes.';
COMMENT ON COLUMN ops.request.attempts IS 'HTTP requests it took; 0 where the page came from a file.';
COMMENT ON COLUMN ops.request.status IS 'HTTP status; null where the page came from a file.';
COMMENT ON COLUMN ops.coverage.state IS 'complete, empty (the service says there is nothing), incomplete (ask again), refused (beyond what the service serves) or imported (rows of a user''s file; the service was not asked).';
