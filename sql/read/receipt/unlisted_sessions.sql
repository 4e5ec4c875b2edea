-- grain: one row: what of the rows of $relation, as known at $instant, may have only those that survived
-- $lists: market.price_limit with its rows of now.
-- first_listed: the first session whose price limits are stored, which name everybody who was listed, those
-- delisted since too. sessions_before: sessions of the relation before it: who has rows of them is who was
-- asked for. names_without_rows: stocks that were listed in a session of the relation from then on and have
-- not one row in it.
WITH listed AS (
  SELECT symbol, trading_date
  FROM $lists
  WHERE loaded_at <= $instant AND mart.instrument_kind(symbol, NULL) = 'stock'
), stored AS (
  SELECT DISTINCT symbol, trading_date FROM $relation WHERE loaded_at <= $instant
), since AS (
  SELECT min(trading_date) AS first_listed FROM listed
), stored_session AS (
  SELECT DISTINCT trading_date FROM stored
), missing_name AS (
  SELECT DISTINCT listed.symbol
  FROM listed SEMI JOIN stored_session USING (trading_date) ANTI JOIN (FROM stored) named USING (symbol)
)
SELECT CAST(first_listed AS VARCHAR) AS first_listed,
  (SELECT count(*) FROM stored_session WHERE first_listed IS NULL OR trading_date < first_listed)::INTEGER
    AS sessions_before,
  (SELECT count(*) FROM missing_name)::INTEGER AS names_without_rows
FROM since
