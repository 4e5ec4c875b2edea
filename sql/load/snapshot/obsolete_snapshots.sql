-- Partial snapshots of the key and the trading date, which a complete one makes obsolete: their rows would
-- only be counted twice. Returns how many.
-- reads: account.snapshot, account_state
-- writes: obsolete_snapshot

-- grain: one row per partial snapshot of the key and the trading date
CREATE OR REPLACE TEMP TABLE obsolete_snapshot AS
SELECT DISTINCT snapshot_id, key_name FROM account.snapshot
SEMI JOIN account_state USING (as_of, key_name)
WHERE state = 'partial';

SELECT count(*) AS snapshots FROM obsolete_snapshot;
