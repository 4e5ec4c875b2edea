-- A stored row that the latest answer for its session does not have stays, until all datasets agree on two trading
-- dates that it is gone.
-- grain: one row per dataset, symbol, timeframe and session whose stored rows the latest answer does not have
CREATE TABLE IF NOT EXISTS ops.omission (
  dataset      VARCHAR,
  symbol       VARCHAR,
  timeframe    VARCHAR,
  trading_date DATE,
  first_as_of  DATE,
  last_as_of   DATE,
  request_id   VARCHAR,
  received_at  TIMESTAMPTZ
);

COMMENT ON TABLE ops.omission IS 'One row per dataset, symbol, timeframe and session whose stored rows the latest answer does not have. The rows stay until summaries, price limits and candles all omit them on two trading dates.';
COMMENT ON COLUMN ops.omission.dataset IS 'securitiesSummary, masterdata or ohlc.';
COMMENT ON COLUMN ops.omission.symbol IS 'Symbol of the stored rows.';
COMMENT ON COLUMN ops.omission.timeframe IS 'Candle timeframe; empty for other datasets.';
COMMENT ON COLUMN ops.omission.trading_date IS 'Session of the stored rows.';
COMMENT ON COLUMN ops.omission.first_as_of IS 'Trading date of the first run in a row whose answer omits them.';
COMMENT ON COLUMN ops.omission.last_as_of IS 'Trading date of the latest run whose answer omits them.';
COMMENT ON COLUMN ops.omission.request_id IS 'Last page of the latest answer: ops.request.request_id.';
COMMENT ON COLUMN ops.omission.received_at IS 'Receipt of that page.';

COMMENT ON COLUMN ops.coverage.reason_code IS 'The reason as a code, where a program acts on it: summary_restated (the daily summary changed after the candles were loaded), failed (no request got a usable answer), refusal (the service refused the query; state says whether a limit explains that), field_lost (the answer lacked a field that earlier answers or the record''s other fields prove; stored values stayed), contradicted (other answers have rows of the session that this one lacks; the state follows from row_count again once nothing contradicts it); null for every other reason.';
