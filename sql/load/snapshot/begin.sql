-- grain: one row per record that no table of the snapshot believed
-- writes: rejected_record
CREATE OR REPLACE TEMP TABLE rejected_record (
  dataset     VARCHAR,
  reason      VARCHAR,
  payload     VARCHAR,
  ordinal     BIGINT,
  request_id  VARCHAR,
  received_at TIMESTAMPTZ
);
