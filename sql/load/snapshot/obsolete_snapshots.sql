-- Partial snapshots of the trading date, which a complete one makes obsolete: their rows would only be
-- counted twice. Returns how many.
-- reads: account.snapshot, account_state
-- writes: obsolete_snapshot

-- grain: one row per partial snapshot of the trading date
CREATE OR REPLACE TEMP TABLE obsolete_snapshot AS
SELECT DISTINCT snapshot_id FROM account.snapshot
WHERE state = 'partial' AND as_of = (SELECT any_value(as_of) FROM account_state);

SELECT count(*) AS snapshots FROM obsolete_snapshot;
