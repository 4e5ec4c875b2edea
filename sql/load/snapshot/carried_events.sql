-- Histories that were not asked again, since their conditional orders had already ended, come along from the
-- latest complete snapshot: every snapshot is whole.
-- reads: account.conditional_order_event, account.snapshot, received_conditional_order
-- reads: variable asked_histories
-- writes: received_conditional_order_event
INSERT INTO received_conditional_order_event BY NAME
WITH latest AS (
  SELECT account_no, max(snapshot_id) AS snapshot_id
  FROM account.snapshot WHERE state = 'complete' GROUP BY account_no
)
SELECT event.* EXCLUDE (snapshot_id, key_name, loaded_at), event.loaded_at AS received_at
FROM account.conditional_order_event event
JOIN latest USING (account_no, snapshot_id)
SEMI JOIN received_conditional_order listed
  ON listed.account_no = event.account_no AND listed.fco_id = event.fco_id
WHERE NOT list_contains(getvariable('asked_histories'), event.fco_id);
