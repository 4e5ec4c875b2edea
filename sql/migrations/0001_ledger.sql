-- The ledger: runs, pages, coverage, rejected records, publications.

-- grain: one row per run
CREATE TABLE ops.run (
  run_id        VARCHAR,
  job           VARCHAR,
  trading_date  DATE,
  started_at    TIMESTAMPTZ,
  finished_at   TIMESTAMPTZ,
  state         VARCHAR,
  exit_code     INTEGER,
  windows       BIGINT,
  requests      BIGINT,
  rows_received BIGINT,
  rows_changed  BIGINT,
  rows_rejected BIGINT
);

COMMENT ON TABLE ops.run IS 'One row per run: a job, what it worked for and how it ended.';
COMMENT ON COLUMN ops.run.run_id IS 'Run, sortable by start.';
COMMENT ON COLUMN ops.run.job IS 'nightly, backfill, replay or publish.';
COMMENT ON COLUMN ops.run.trading_date IS 'Trading date the run worked for.';
COMMENT ON COLUMN ops.run.started_at IS 'Start of the run.';
COMMENT ON COLUMN ops.run.finished_at IS 'End of the run; null while it runs, or when it was killed.';
COMMENT ON COLUMN ops.run.state IS 'running, done, failed or interrupted.';
COMMENT ON COLUMN ops.run.exit_code IS 'Exit code of the process; null while it runs.';
COMMENT ON COLUMN ops.run.windows IS 'Windows asked for.';
COMMENT ON COLUMN ops.run.requests IS 'Pages received and loaded.';
COMMENT ON COLUMN ops.run.rows_received IS 'Records in those pages.';
COMMENT ON COLUMN ops.run.rows_changed IS 'Rows inserted, replaced or withdrawn.';
COMMENT ON COLUMN ops.run.rows_rejected IS 'Records sent to ops.quarantine.';

-- grain: one row per page
CREATE TABLE ops.request (
  request_id  VARCHAR,
  run_id      VARCHAR,
  dataset     VARCHAR,
  endpoint    VARCHAR,
  query       VARCHAR,
  walk        VARCHAR,
  page        INTEGER,
  attempts    INTEGER,
  status      INTEGER,
  received_at TIMESTAMPTZ,
  bytes       BIGINT,
  row_count   BIGINT,
  sha256      VARCHAR,
  raw_file    VARCHAR,
  drift       VARCHAR
);

COMMENT ON TABLE ops.request IS 'One row per page received and loaded: where every value came from.';
COMMENT ON COLUMN ops.request.request_id IS 'Page, as the journal names it.';
COMMENT ON COLUMN ops.request.run_id IS 'Run that asked for it.';
COMMENT ON COLUMN ops.request.dataset IS 'Dataset it belongs to.';
COMMENT ON COLUMN ops.request.endpoint IS 'Endpoint of the API.';
COMMENT ON COLUMN ops.request.query IS 'Query sent, a JSON object.';
COMMENT ON COLUMN ops.request.walk IS 'Walk (one window, page after page) it belongs to.';
COMMENT ON COLUMN ops.request.page IS 'Page number within the walk, from 1.';
COMMENT ON COLUMN ops.request.attempts IS 'HTTP requests it took.';
COMMENT ON COLUMN ops.request.status IS 'HTTP status.';
COMMENT ON COLUMN ops.request.received_at IS 'When the whole answer was here.';
COMMENT ON COLUMN ops.request.bytes IS 'Size of the body, decoded, bytes.';
COMMENT ON COLUMN ops.request.row_count IS 'Records in the page.';
COMMENT ON COLUMN ops.request.sha256 IS 'SHA-256 of the landed file.';
COMMENT ON COLUMN ops.request.raw_file IS 'Landed file, relative to the home folder.';
COMMENT ON COLUMN ops.request.drift IS 'Field names that the specification does not know, comma-separated; null when none.';

-- grain: one row per dataset, key, timeframe, window
CREATE TABLE ops.coverage (
  dataset     VARCHAR,
  key         VARCHAR,
  timeframe   VARCHAR,
  window_from DATE,
  window_to   DATE,
  state       VARCHAR,
  reason      VARCHAR,
  row_count   BIGINT,
  expires_on  DATE,
  request_id  VARCHAR
);

COMMENT ON TABLE ops.coverage IS 'One row per dataset, key, timeframe and window: what is known to be held.';
COMMENT ON COLUMN ops.coverage.dataset IS 'securities, indexes, indexMembers, securitiesSummary, indexSummary, masterdata or ohlc.';
COMMENT ON COLUMN ops.coverage.key IS 'Symbol, index or board asked for; * = all in one answer.';
COMMENT ON COLUMN ops.coverage.timeframe IS 'Candle timeframe; empty for other datasets.';
COMMENT ON COLUMN ops.coverage.window_from IS 'First trading date of the window.';
COMMENT ON COLUMN ops.coverage.window_to IS 'Last trading date of the window; equal to window_from: a window is one session.';
COMMENT ON COLUMN ops.coverage.state IS 'complete, empty (the service says there is nothing), incomplete (ask again) or refused (beyond what the service serves).';
COMMENT ON COLUMN ops.coverage.reason IS 'Why it is not complete; null when it is.';
COMMENT ON COLUMN ops.coverage.row_count IS 'Records the window was answered with.';
COMMENT ON COLUMN ops.coverage.expires_on IS 'Day from which the service no longer serves it (intraday: one year); null when it does not expire.';
COMMENT ON COLUMN ops.coverage.request_id IS 'Last page of the answer.';

-- grain: one row per rejected record
CREATE TABLE ops.quarantine (
  dataset    VARCHAR,
  reason     VARCHAR,
  payload    VARCHAR,
  ordinal    BIGINT,
  request_id VARCHAR,
  loaded_at  TIMESTAMPTZ
);

COMMENT ON TABLE ops.quarantine IS 'One row per record that could not be read as it should: kept whole, loaded nowhere.';
COMMENT ON COLUMN ops.quarantine.dataset IS 'Dataset of the page.';
COMMENT ON COLUMN ops.quarantine.reason IS 'Field and fault, or why the record is not believed.';
COMMENT ON COLUMN ops.quarantine.payload IS 'The text of the record as received, cut from the page.';
COMMENT ON COLUMN ops.quarantine.ordinal IS 'Position of the record in its page, from 1.';
COMMENT ON COLUMN ops.quarantine.request_id IS 'Page that brought it: ops.request.request_id.';
COMMENT ON COLUMN ops.quarantine.loaded_at IS 'Receipt of the page.';

-- grain: one row per publication
CREATE TABLE ops.publication (
  publication_id BIGINT,
  run_id         VARCHAR,
  published_at   TIMESTAMPTZ,
  versions       VARCHAR
);

COMMENT ON TABLE ops.publication IS 'One row per publication: how fresh a catalog is.';
COMMENT ON COLUMN ops.publication.publication_id IS 'Number of the publication, rising.';
COMMENT ON COLUMN ops.publication.run_id IS 'Run that published.';
COMMENT ON COLUMN ops.publication.published_at IS 'When it was published.';
COMMENT ON COLUMN ops.publication.versions IS 'Relation to version, a JSON object.';

-- grain: one row per partition of a relation whose rows changed since it was last published
CREATE TABLE ops.dirty_partition (
  relation  VARCHAR,
  partition VARCHAR
);
COMMENT ON TABLE ops.dirty_partition IS 'Partitions changed since they were last published; written in the transaction that changes them.';
COMMENT ON COLUMN ops.dirty_partition.relation IS 'Relation, schema-qualified.';
COMMENT ON COLUMN ops.dirty_partition.partition IS 'Trading date of the session (YYYY-MM-DD), or all for relations that are written whole.';

-- grain: one row per Parquet file of the lake, live or kept for readers of an older catalog
CREATE TABLE ops.lake_file (
  relation   VARCHAR,
  partition  VARCHAR,
  file       VARCHAR,
  row_count  BIGINT,
  bytes      BIGINT,
  removed_at TIMESTAMPTZ
);
COMMENT ON TABLE ops.lake_file IS 'Parquet files of the lake. The live ones are exactly what the catalog reads.';
COMMENT ON COLUMN ops.lake_file.relation IS 'Relation, schema-qualified.';
COMMENT ON COLUMN ops.lake_file.partition IS 'Session (YYYY-MM-DD), closed month (YYYY-MM), or all.';
COMMENT ON COLUMN ops.lake_file.file IS 'File, relative to the lake folder.';
COMMENT ON COLUMN ops.lake_file.row_count IS 'Rows in the file.';
COMMENT ON COLUMN ops.lake_file.bytes IS 'Size of the file, bytes.';
COMMENT ON COLUMN ops.lake_file.removed_at IS 'When another file took its place; null while it is live.';
