-- A migration of its own: DuckDB updates no table in the transaction that has altered it.
UPDATE market.market_index SET is_listed = true, last_seen = (
  SELECT coalesce(max(window_from) FILTER (state = 'complete'), max(window_from))
  FROM ops.coverage WHERE dataset = 'indexes' AND key = '*'
);
