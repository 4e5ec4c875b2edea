-- grain: one row per equity account, trading date and symbol that its complete snapshot names
-- Positions have fields for shares that arrive on the second session after their trade, which is how
-- trades settle since 2016 (mart.settlement_cycle): they can be sold from then on (settlement_time of the
-- rulebook: before 13:00). On days of another cycle nothing is said about arrivals. The position names
-- what can be sold now and what was bought today; what was bought the session before is the rest of what
-- is owned and cannot be sold: quantity - sellable - selling - blocked - mortgaged - restricted - bought
-- today. That takes a snapshot of after 13:00, as a nightly takes it: before, what arrives at 13:00 of
-- that day counts as t1. A service whose quantity lacks what is to arrive makes that rest negative: then
-- it is not known, and null. Settlement dates: mart.settlement_session.
CREATE OR REPLACE VIEW mart.sellable_share AS
WITH share_position AS (
  SELECT day.account_no, day.trading_date, day.snapshot_id, position.symbol, position.quantity,
    position.sellable_quantity, position.bought_quantity, position.selling_quantity,
    coalesce(position.block_quantity, 0) + coalesce(position.mortgage_quantity, 0)
      + coalesce(position.restricted_quantity, 0) AS encumbered_quantity,
    position.sold_quantity, position.t1_sell_quantity, position.t2_sell_quantity,
    position.quantity - position.sellable_quantity - coalesce(position.selling_quantity, 0)
      - encumbered_quantity - position.bought_quantity AS bought_before,
    coalesce(mart.settlement_cycle(day.trading_date) = 2, false) AS has_fields
  FROM mart.account_day day
  JOIN account.equity_position position
    ON position.snapshot_id = day.snapshot_id AND position.account_no = day.account_no
)
SELECT position.account_no, position.trading_date, position.symbol,
  mart.instrument_kind(position.symbol, NULL) AS kind, position.quantity,
  settlement.t1_date, settlement.t2_date,
  position.sellable_quantity AS sellable_t0,
  CASE WHEN position.bought_before >= 0 AND has_fields THEN position.bought_before END AS arriving_t1,
  CASE WHEN has_fields THEN position.bought_quantity END AS arriving_t2,
  sellable_t0 + arriving_t1 AS sellable_t1,
  sellable_t1 + arriving_t2 AS sellable_t2,
  position.selling_quantity, position.encumbered_quantity,
  position.t2_sell_quantity AS delivering_t0, position.t1_sell_quantity AS delivering_t1,
  position.sold_quantity AS delivering_t2,
  position.snapshot_id
FROM share_position position
LEFT JOIN mart.settlement_session settlement ON settlement.trading_date = position.trading_date;
COMMENT ON VIEW mart.sellable_share IS
  'One row per equity account, trading date and symbol: shares that can be sold now, and from which session '
  'on the others can be.';
COMMENT ON COLUMN mart.sellable_share.sellable_t0 IS
  'Shares that can be sold now, as the service reports them (sellable_quantity).';
COMMENT ON COLUMN mart.sellable_share.arriving_t1 IS
  'Shares bought the session before, which arrive on t1_date before 13:00: quantity - sellable_t0 - '
  'selling_quantity - encumbered_quantity - arriving_t2; null where a part is not reported or the result is '
  'below 0, or trades of that day settle otherwise (mart.settlement_cycle).';
COMMENT ON COLUMN mart.sellable_share.arriving_t2 IS
  'Shares bought on trading_date (bought_quantity), which arrive on t2_date before 13:00; null where trades '
  'of that day settle otherwise.';
COMMENT ON COLUMN mart.sellable_share.sellable_t1 IS
  'sellable_t0 + arriving_t1: shares that can be sold from the afternoon of t1_date on, if none is sold '
  'before.';
COMMENT ON COLUMN mart.sellable_share.sellable_t2 IS 'sellable_t1 + arriving_t2: the same for t2_date.';
COMMENT ON COLUMN mart.sellable_share.selling_quantity IS
  'Shares in sell orders not yet matched: in none of the sellable figures, sellable again if not matched.';
COMMENT ON COLUMN mart.sellable_share.encumbered_quantity IS
  'Shares blocked, mortgaged or restricted: in none of the sellable figures.';
COMMENT ON COLUMN mart.sellable_share.delivering_t0 IS
  'Shares sold two sessions before trading_date, delivered on it (t2_sell_quantity).';
COMMENT ON COLUMN mart.sellable_share.delivering_t1 IS
  'Shares sold the session before, delivered on t1_date (t1_sell_quantity).';
COMMENT ON COLUMN mart.sellable_share.delivering_t2 IS
  'Shares sold on trading_date, delivered on t2_date (sold_quantity).';
