-- What the catalog's market.candle has beyond the warehouse's.
COMMENT ON COLUMN market.candle.local_time IS
  'Start of the bar in exchange time (UTC+7); opened_at is the same instant with its zone.';
