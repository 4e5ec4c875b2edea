-- Rows of withdrawn sessions → market.revision; they leave their relation, and their windows of candles are
-- empty. Returns how many rows were withdrawn.
-- reads: withdrawn_session
-- writes: market.candle, market.daily_summary, market.price_limit, market.revision, ops.coverage
-- writes: ops.dirty_partition, ops.omission, withdrawn_count, withdrawn_row
CREATE OR REPLACE TEMP TABLE withdrawn_row AS
SELECT 'market.daily_summary' AS relation,
  CAST(json_object('symbol', stored.symbol, 'trading_date', CAST(stored.trading_date AS VARCHAR)) AS VARCHAR)
    AS key,
  to_json(stored)::VARCHAR AS old, gone.received_at, gone.request_id, stored.loaded_at, stored.trading_date
FROM market.daily_summary stored
JOIN withdrawn_session gone
  ON gone.dataset = 'securitiesSummary' AND gone.symbol = stored.symbol AND gone.day = stored.trading_date
UNION ALL
SELECT 'market.price_limit',
  CAST(json_object('symbol', stored.symbol, 'trading_date', CAST(stored.trading_date AS VARCHAR)) AS VARCHAR),
  to_json(stored)::VARCHAR, gone.received_at, gone.request_id, stored.loaded_at, stored.trading_date
FROM market.price_limit stored
JOIN withdrawn_session gone
  ON gone.dataset = 'masterdata' AND gone.symbol = stored.symbol AND gone.day = stored.trading_date
UNION ALL
SELECT 'market.candle',
  CAST(json_object('symbol', CAST(stored.symbol AS VARCHAR), 'timeframe', CAST(stored.timeframe AS VARCHAR),
    'opened_at', strftime(timezone('UTC', stored.opened_at), '%Y-%m-%dT%H:%M:%SZ')) AS VARCHAR),
  to_json(stored)::VARCHAR, gone.received_at, gone.request_id, stored.loaded_at, stored.trading_date
FROM market.candle stored
JOIN withdrawn_session gone
  ON gone.dataset = 'ohlc' AND gone.symbol = stored.symbol AND gone.day = stored.trading_date
    AND gone.timeframe = stored.timeframe
WHERE stored.trading_date IN (SELECT day FROM withdrawn_session);

INSERT INTO market.revision
SELECT relation, key, '*', old, NULL, received_at, request_id, loaded_at FROM withdrawn_row;

DELETE FROM market.daily_summary AS stored USING withdrawn_session gone
WHERE gone.dataset = 'securitiesSummary' AND gone.symbol = stored.symbol AND gone.day = stored.trading_date;
DELETE FROM market.price_limit AS stored USING withdrawn_session gone
WHERE gone.dataset = 'masterdata' AND gone.symbol = stored.symbol AND gone.day = stored.trading_date;
DELETE FROM market.candle AS stored USING withdrawn_session gone
WHERE gone.dataset = 'ohlc' AND gone.symbol = stored.symbol AND gone.day = stored.trading_date
  AND gone.timeframe = stored.timeframe;

UPDATE ops.coverage AS coverage SET state = 'empty', reason = NULL, reason_code = NULL, row_count = 0
FROM withdrawn_session gone
WHERE coverage.dataset = gone.dataset AND coverage.key = gone.symbol
  AND coverage.timeframe = gone.timeframe AND coverage.window_from = gone.day;

DELETE FROM ops.omission AS omission USING withdrawn_session gone
WHERE omission.symbol = gone.symbol AND omission.trading_date = gone.day
  AND (omission.dataset, omission.timeframe) = (gone.dataset, gone.timeframe);

INSERT INTO ops.dirty_partition
SELECT DISTINCT relation, CAST(trading_date AS VARCHAR) FROM withdrawn_row
UNION
SELECT DISTINCT 'market.revision', month_of_instant(received_at) FROM withdrawn_row
UNION
SELECT DISTINCT 'ops.coverage', month_of_day(day) FROM withdrawn_session;

SELECT count(*) AS rows FROM withdrawn_row;
