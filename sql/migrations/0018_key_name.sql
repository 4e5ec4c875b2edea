-- A home may serve several API keys: rows of accounts name the key that brought them. Rows from before have the name of
-- the one key that there was. Every partition of them is written again, since the column is new to the lake.

INSERT INTO ops.dirty_partition SELECT 'account.account', 'all' WHERE EXISTS (SELECT 1 FROM account.account);

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.snapshot', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.snapshot;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.equity_balance', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.equity_balance;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.derivative_balance', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.derivative_balance;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.equity_margin', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.equity_margin;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.derivative_margin', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.derivative_margin;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.equity_position', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.equity_position;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.derivative_position', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.derivative_position;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.derivative_position_summary', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.derivative_position_summary;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.order_book', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.order_book;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.conditional_order', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.conditional_order;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.conditional_order_event', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.conditional_order_event;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.max_quantity', left(snapshot_id, 4) || '-' || substr(snapshot_id, 5, 2) FROM account.max_quantity;

ALTER TABLE account.account ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.snapshot ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.equity_balance ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.derivative_balance ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.equity_margin ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.derivative_margin ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.equity_position ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.derivative_position ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.derivative_position_summary ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.order_book ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.conditional_order ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.conditional_order_event ADD COLUMN key_name VARCHAR DEFAULT 'default';
ALTER TABLE account.max_quantity ADD COLUMN key_name VARCHAR DEFAULT 'default';

COMMENT ON COLUMN account.account.key_name IS 'Name of the API key that last listed it; default where the home has only one.';
COMMENT ON COLUMN account.snapshot.key_name IS 'Name of the API key that read it; default where the home has only one.';
COMMENT ON COLUMN account.equity_balance.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';
COMMENT ON COLUMN account.derivative_balance.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';
COMMENT ON COLUMN account.equity_margin.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';
COMMENT ON COLUMN account.derivative_margin.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';
COMMENT ON COLUMN account.equity_position.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';
COMMENT ON COLUMN account.derivative_position.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';
COMMENT ON COLUMN account.derivative_position_summary.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';
COMMENT ON COLUMN account.order_book.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';
COMMENT ON COLUMN account.conditional_order.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';
COMMENT ON COLUMN account.conditional_order_event.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';
COMMENT ON COLUMN account.max_quantity.key_name IS 'Name of the API key that read it: account.snapshot.key_name.';

COMMENT ON TABLE account.account IS 'One row per account_no: accounts that the keys may read, as last told.';
COMMENT ON COLUMN account.snapshot.snapshot_id IS 'Snapshot: the run that took it. A run with several keys takes one per key, under one id.';
