-- Stored rows of the service on the days that are weighed. Imported rows are no evidence: nobody asked for
-- them. Rows that the latest answer omits are in ops.omission, and are no evidence either.
-- reads: evidence_day, market.daily_summary, market.index_summary, market.price_limit, ops.omission
-- reads: ops.request, own_window
-- writes: bar_session, evidence_omission, index_row, limit_row, summary_row

-- grain: one row per omission on a day that is weighed
CREATE OR REPLACE TEMP TABLE evidence_omission AS
SELECT * RENAME (trading_date AS day) FROM ops.omission WHERE trading_date IN (FROM evidence_day);

-- grain: one row per symbol and day with a daily summary
CREATE OR REPLACE TEMP TABLE summary_row AS
SELECT symbol, trading_date AS day, total_match
FROM market.daily_summary stored
ANTI JOIN (FROM evidence_omission WHERE dataset = 'securitiesSummary') omission
  ON omission.symbol = stored.symbol AND omission.day = stored.trading_date
WHERE trading_date BETWEEN getvariable('evidence_first') AND getvariable('evidence_last')
  AND trading_date IN (FROM evidence_day)
  AND request_id NOT IN (SELECT request_id FROM ops.request WHERE endpoint = 'import');

-- grain: one row per symbol and day with price limits
CREATE OR REPLACE TEMP TABLE limit_row AS
SELECT symbol, trading_date AS day, upper(exchange) AS board
FROM market.price_limit stored
ANTI JOIN (FROM evidence_omission WHERE dataset = 'masterdata') omission
  ON omission.symbol = stored.symbol AND omission.day = stored.trading_date
WHERE trading_date BETWEEN getvariable('evidence_first') AND getvariable('evidence_last')
  AND trading_date IN (FROM evidence_day)
  AND request_id NOT IN (SELECT request_id FROM ops.request WHERE endpoint = 'import');

-- grain: one row per index and day with a summary
CREATE OR REPLACE TEMP TABLE index_row AS
SELECT index_code, trading_date AS day, total_match
FROM market.index_summary
WHERE trading_date BETWEEN getvariable('evidence_first') AND getvariable('evidence_last')
  AND trading_date IN (FROM evidence_day)
  AND request_id NOT IN (SELECT request_id FROM ops.request WHERE endpoint = 'import');

-- grain: one row per symbol and day with bars of any timeframe
CREATE OR REPLACE TEMP TABLE bar_session AS
SELECT DISTINCT bars.key AS symbol, bars.day
FROM own_window bars
ANTI JOIN (FROM evidence_omission WHERE dataset = 'ohlc') omission
  ON omission.symbol = bars.key AND omission.day = bars.day AND omission.timeframe = bars.timeframe
WHERE bars.dataset = 'ohlc' AND bars.state = 'complete' AND bars.row_count > 0;
