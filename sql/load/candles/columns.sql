-- grain: one row per bar of the pages that are read as columns, with the values that differ within a page.
-- Filled by src/load/candles, which names these columns in this order
-- writes: candle_column
CREATE OR REPLACE TEMP TABLE candle_column (
  page         INTEGER,
  ordinal      INTEGER,
  opened_at    TIMESTAMPTZ,
  trading_date DATE,
  open         DECIMAL(18,6),
  high         DECIMAL(18,6),
  low          DECIMAL(18,6),
  close        DECIMAL(18,6),
  volume       BIGINT,
  value        DECIMAL(18,2)
);
