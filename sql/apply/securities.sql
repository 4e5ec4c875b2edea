-- Security lists → market.security, its validity history, and the figures that move daily by session. Absence
-- means delisted only where every board's list is complete (variable all_boards). Lists never go back in
-- time. Returns how many securities changed.
-- reads: market.security, market.security_daily, market.security_history, received_row, variable all_boards
-- reads: variable as_of, variable next_open
-- writes: changed_daily, changed_security, delisted_security, listed_security, market.revision
-- writes: market.security, market.security_daily, market.security_history, next_security
-- writes: ops.dirty_partition, written_security

-- grain: one row per security that the lists name
CREATE OR REPLACE TEMP TABLE listed_security AS
SELECT * EXCLUDE (ordinal, reason, payload, received_at), received_at AS loaded_at FROM received_row;

-- grain: one row per security whose descriptive attributes changed: those that move daily do not open a new
-- validity
CREATE OR REPLACE TEMP TABLE changed_security AS
SELECT listed.symbol
FROM listed_security listed JOIN market.security stored USING (symbol)
WHERE $listed_attributes IS DISTINCT FROM $stored_attributes
  OR NOT stored.is_listed;

-- grain: one row per security that no list names any more
CREATE OR REPLACE TEMP TABLE delisted_security AS
SELECT symbol FROM market.security
WHERE is_listed AND getvariable('all_boards') AND symbol NOT IN (SELECT symbol FROM listed_security);

-- a validity that opened on this day is written again; an older one closes
DELETE FROM market.security_history
WHERE valid_to IS NULL AND valid_from = getvariable('as_of')
  AND (symbol IN (SELECT symbol FROM changed_security) OR symbol IN (SELECT symbol FROM delisted_security));
UPDATE market.security_history SET valid_to = getvariable('as_of')
WHERE valid_to IS NULL
  AND (symbol IN (SELECT symbol FROM changed_security) OR symbol IN (SELECT symbol FROM delisted_security));

-- within an open validity the daily attributes follow
UPDATE market.security_history AS history
SET i_index = listed.i_index, i_nav = listed.i_nav, open_interest = listed.open_interest,
    settlement_price = listed.settlement_price, request_id = listed.request_id, loaded_at = listed.loaded_at
FROM listed_security listed
WHERE history.symbol = listed.symbol AND history.valid_to IS NULL
  AND (history.i_index, history.i_nav, history.open_interest, history.settlement_price)
    IS DISTINCT FROM (listed.i_index, listed.i_nav, listed.open_interest, listed.settlement_price);

INSERT INTO market.security_history BY NAME
SELECT listed.*, getvariable('as_of') AS valid_from, NULL::DATE AS valid_to
FROM listed_security listed
WHERE NOT EXISTS (
  SELECT 1 FROM market.security_history history
  WHERE history.symbol = listed.symbol AND history.valid_to IS NULL
);

-- grain: one row per security that the lists name, as it is from now on; the page that brought a value stays
-- named while the value stays
CREATE OR REPLACE TEMP TABLE next_security AS
WITH compared_security AS (
  SELECT listed, stored,
    stored.symbol IS NULL OR listed.symbol IN (SELECT symbol FROM changed_security)
      OR (listed.i_index, listed.i_nav, listed.open_interest, listed.settlement_price)
        IS DISTINCT FROM (stored.i_index, stored.i_nav, stored.open_interest, stored.settlement_price)
      AS is_new
  FROM listed_security listed LEFT JOIN market.security stored USING (symbol)
)
SELECT listed.* EXCLUDE (request_id, loaded_at),
  coalesce(stored.first_seen, getvariable('as_of')) AS first_seen,
  getvariable('as_of') AS last_seen,
  true AS is_listed,
  CASE WHEN is_new THEN listed.request_id ELSE stored.request_id END AS request_id,
  CASE WHEN is_new THEN listed.loaded_at ELSE stored.loaded_at END AS loaded_at
FROM compared_security;

-- grain: one row per security that is new or differs
CREATE OR REPLACE TEMP TABLE written_security AS
WITH different_security AS (
  SELECT * EXCLUDE (request_id, loaded_at) FROM next_security
  EXCEPT
  SELECT * EXCLUDE (request_id, loaded_at) FROM market.security
)
SELECT symbol FROM different_security;
DELETE FROM market.security WHERE symbol IN (SELECT symbol FROM written_security);
INSERT INTO market.security BY NAME
SELECT * FROM next_security WHERE symbol IN (SELECT symbol FROM written_security);
UPDATE market.security SET is_listed = false WHERE symbol IN (SELECT symbol FROM delisted_security);

-- grain: one row per security whose daily figures differ from those stored for the trading date. A later
-- list of the same day replaces the figures of the earlier one, with lines in market.revision as for any fact
-- by session. A security that the later list does not name keeps its row.
CREATE OR REPLACE TEMP TABLE changed_daily AS
WITH stored AS (
  SELECT * FROM market.security_daily WHERE trading_date = getvariable('as_of')
)
SELECT listed.symbol, getvariable('as_of') AS trading_date,
  listed.i_index, listed.i_nav, listed.open_interest, listed.settlement_price,
  listed.request_id, listed.loaded_at,
  coalesce(listed.i_index, listed.i_nav, listed.open_interest, listed.settlement_price) IS NOT NULL
    AS has_figures,
  stored
FROM listed_security listed
LEFT JOIN stored ON stored.symbol = listed.symbol
WHERE (listed.i_index, listed.i_nav, listed.open_interest, listed.settlement_price)
  IS DISTINCT FROM (stored.i_index, stored.i_nav, stored.open_interest, stored.settlement_price)
  -- figures of that evening stay: a list of the next morning is about the next session
  AND NOT coalesce(
    stored.loaded_at < getvariable('next_open') AND listed.loaded_at >= getvariable('next_open'), false);

INSERT INTO market.revision
WITH change AS (
  SELECT changed_daily.*, unnest(CASE
    WHEN has_figures THEN [
      {'name': 'i_index', 'old': stored.i_index::VARCHAR, 'new': i_index::VARCHAR},
      {'name': 'i_nav', 'old': stored.i_nav::VARCHAR, 'new': i_nav::VARCHAR},
      {'name': 'open_interest', 'old': stored.open_interest::VARCHAR, 'new': open_interest::VARCHAR},
      {'name': 'settlement_price', 'old': stored.settlement_price::VARCHAR, 'new': settlement_price::VARCHAR}]
    ELSE [{'name': '*', 'old': to_json(stored)::VARCHAR, 'new': NULL}] END) AS value
  FROM changed_daily WHERE stored.symbol IS NOT NULL
)
SELECT 'market.security_daily',
  CAST(json_object('symbol', symbol, 'trading_date', CAST(trading_date AS VARCHAR)) AS VARCHAR),
  value.name, value.old, value.new, loaded_at, request_id, stored.loaded_at
FROM change WHERE value.old IS DISTINCT FROM value.new;

DELETE FROM market.security_daily
WHERE trading_date = getvariable('as_of') AND symbol IN (SELECT symbol FROM changed_daily);
INSERT INTO market.security_daily BY NAME
SELECT * EXCLUDE (has_figures, stored) FROM changed_daily WHERE has_figures;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'market.security_daily', CAST(trading_date AS VARCHAR) FROM changed_daily;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'market.revision', month_of_instant(loaded_at)
FROM changed_daily WHERE stored.symbol IS NOT NULL;

INSERT INTO ops.dirty_partition
SELECT unnest(['market.security', 'market.security_history']), 'all'
WHERE EXISTS (SELECT 1 FROM written_security) OR EXISTS (SELECT 1 FROM delisted_security);

SELECT (SELECT count(*) FROM written_security) + (SELECT count(*) FROM delisted_security) AS rows;
