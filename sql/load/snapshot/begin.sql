-- grain: one row per rejected record of the snapshot
-- writes: rejected_record
CREATE OR REPLACE TEMP TABLE rejected_record (
  dataset     VARCHAR,
  reason      VARCHAR,
  payload     VARCHAR,
  ordinal     BIGINT,
  request_id  VARCHAR,
  received_at TIMESTAMPTZ
);
