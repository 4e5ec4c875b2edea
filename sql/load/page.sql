-- grain: one row per page being loaded, with the window it was asked for
CREATE OR REPLACE TEMP TABLE load_page (
  request_id       VARCHAR,
  walk             VARCHAR,
  file             VARCHAR,
  received_at      TIMESTAMPTZ,
  as_of            DATE,
  window_key       VARCHAR,
  window_timeframe VARCHAR,
  window_from      DATE,
  window_to        DATE
);
