-- Security lists → market.security, its validity history, and the figures that move daily by session. Reads temp table fresh
-- (one row per symbol named) and variables as_of (trading date of the run), next_open (when the session after it begins) and all_boards (whether every board's list is complete and of
-- a believable length: only then does absence mean delisted). No column is guessed; lists never go back in time.

CREATE OR REPLACE TEMP TABLE as_known AS
SELECT fresh.* EXCLUDE (ordinal, reason, payload, received_at), fresh.received_at AS loaded_at FROM fresh;

-- what changed in the descriptive attributes: those that move daily do not open a new validity
CREATE OR REPLACE TEMP TABLE renamed AS
SELECT known.symbol
FROM as_known known JOIN market.security held USING (symbol)
WHERE (known.symbol_name_vi, known.symbol_name_en, known.board, known.lot_size, known.maturity_date,
       known.first_trading_date, known.last_trading_date, known.cw_underlying_symbol, known.cw_exercise_price,
       known.cw_execution_ratio, known.listed_share, known.icb_code, known.icb_name)
   IS DISTINCT FROM
      (held.symbol_name_vi, held.symbol_name_en, held.board, held.lot_size, held.maturity_date,
       held.first_trading_date, held.last_trading_date, held.cw_underlying_symbol, held.cw_exercise_price,
       held.cw_execution_ratio, held.listed_share, held.icb_code, held.icb_name)
   OR NOT held.is_listed;

CREATE OR REPLACE TEMP TABLE gone AS
SELECT symbol FROM market.security
WHERE is_listed AND getvariable('all_boards') AND symbol NOT IN (SELECT symbol FROM as_known);

-- a validity that opened on this very day is written anew; an older one closes
DELETE FROM market.security_history
WHERE valid_to IS NULL AND valid_from = getvariable('as_of')
  AND (symbol IN (SELECT symbol FROM renamed) OR symbol IN (SELECT symbol FROM gone));
UPDATE market.security_history SET valid_to = getvariable('as_of')
WHERE valid_to IS NULL AND (symbol IN (SELECT symbol FROM renamed) OR symbol IN (SELECT symbol FROM gone));

-- within an open validity the daily attributes follow
UPDATE market.security_history AS history
SET i_index = known.i_index, i_nav = known.i_nav, open_interest = known.open_interest,
    settlement_price = known.settlement_price, request_id = known.request_id, loaded_at = known.loaded_at
FROM as_known known
WHERE history.symbol = known.symbol AND history.valid_to IS NULL
  AND (history.i_index, history.i_nav, history.open_interest, history.settlement_price)
    IS DISTINCT FROM (known.i_index, known.i_nav, known.open_interest, known.settlement_price);

INSERT INTO market.security_history BY NAME
SELECT known.*, getvariable('as_of') AS valid_from, NULL::DATE AS valid_to
FROM as_known known
WHERE NOT EXISTS (
  SELECT 1 FROM market.security_history history WHERE history.symbol = known.symbol AND history.valid_to IS NULL
);

CREATE OR REPLACE TEMP TABLE next_security AS
SELECT known.* EXCLUDE (request_id, loaded_at),
  coalesce(held.first_seen, getvariable('as_of')) AS first_seen,
  getvariable('as_of') AS last_seen,
  true AS is_listed,
  -- the page that brought a value stays named while the value stays
  CASE WHEN held.symbol IS NULL OR (SELECT count(*) FROM renamed WHERE renamed.symbol = known.symbol) > 0
         OR (known.i_index, known.i_nav, known.open_interest, known.settlement_price)
           IS DISTINCT FROM (held.i_index, held.i_nav, held.open_interest, held.settlement_price)
    THEN known.request_id ELSE held.request_id END AS request_id,
  CASE WHEN held.symbol IS NULL OR (SELECT count(*) FROM renamed WHERE renamed.symbol = known.symbol) > 0
         OR (known.i_index, known.i_nav, known.open_interest, known.settlement_price)
           IS DISTINCT FROM (held.i_index, held.i_nav, held.open_interest, held.settlement_price)
    THEN known.loaded_at ELSE held.loaded_at END AS loaded_at
FROM as_known known LEFT JOIN market.security held USING (symbol);

CREATE OR REPLACE TEMP TABLE touched AS
SELECT symbol FROM (SELECT * EXCLUDE (request_id, loaded_at) FROM next_security
  EXCEPT SELECT * EXCLUDE (request_id, loaded_at) FROM market.security);
DELETE FROM market.security WHERE symbol IN (SELECT symbol FROM touched);
INSERT INTO market.security BY NAME SELECT * FROM next_security WHERE symbol IN (SELECT symbol FROM touched);
UPDATE market.security SET is_listed = false WHERE symbol IN (SELECT symbol FROM gone);

-- what moves daily, by session: a list of the same day that says otherwise replaces what the one before said, with lines in
-- market.revision as for any fact by session. What a later list of the day leaves out keeps its row: it was told.
CREATE OR REPLACE TEMP TABLE moved AS
SELECT known.symbol, getvariable('as_of') AS trading_date,
  known.i_index, known.i_nav, known.open_interest, known.settlement_price, known.request_id, known.loaded_at,
  coalesce(known.i_index, known.i_nav, known.open_interest, known.settlement_price) IS NOT NULL AS is_told, held
FROM as_known known
LEFT JOIN (FROM market.security_daily WHERE trading_date = getvariable('as_of')) held ON held.symbol = known.symbol
WHERE (known.i_index, known.i_nav, known.open_interest, known.settlement_price)
  IS DISTINCT FROM (held.i_index, held.i_nav, held.open_interest, held.settlement_price)
  -- what was told that evening stays: a list of the next morning tells of the next session
  AND NOT coalesce(held.loaded_at < getvariable('next_open') AND known.loaded_at >= getvariable('next_open'), false);

INSERT INTO market.revision
WITH change AS (
  SELECT moved.*, unnest(CASE
    WHEN is_told THEN [
      {'name': 'i_index', 'old': held.i_index::VARCHAR, 'new': i_index::VARCHAR},
      {'name': 'i_nav', 'old': held.i_nav::VARCHAR, 'new': i_nav::VARCHAR},
      {'name': 'open_interest', 'old': held.open_interest::VARCHAR, 'new': open_interest::VARCHAR},
      {'name': 'settlement_price', 'old': held.settlement_price::VARCHAR, 'new': settlement_price::VARCHAR}]
    ELSE [{'name': '*', 'old': to_json(held)::VARCHAR, 'new': NULL}] END) AS said
  FROM moved WHERE held.symbol IS NOT NULL
)
SELECT 'market.security_daily',
  CAST(json_object('symbol', symbol, 'trading_date', CAST(trading_date AS VARCHAR)) AS VARCHAR),
  said.name, said.old, said.new, loaded_at, request_id, held.loaded_at
FROM change WHERE said.old IS DISTINCT FROM said.new;

DELETE FROM market.security_daily
WHERE trading_date = getvariable('as_of') AND symbol IN (SELECT symbol FROM moved);
INSERT INTO market.security_daily BY NAME SELECT * EXCLUDE (is_told, held) FROM moved WHERE is_told;
INSERT INTO ops.dirty_partition
SELECT DISTINCT 'market.security_daily', CAST(trading_date AS VARCHAR) FROM moved;

CREATE OR REPLACE TEMP TABLE changed_count AS
SELECT (SELECT count(*) FROM touched) + (SELECT count(*) FROM gone) AS rows;
INSERT INTO ops.dirty_partition
SELECT unnest(['market.security', 'market.security_history']), 'all' WHERE (SELECT rows FROM changed_count) > 0;
