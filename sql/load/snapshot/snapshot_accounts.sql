-- The accounts of the snapshot: those that the list names, and those that were read without it. Bound:
-- accounts that were read, as a JSON array
-- reads: received_account
-- writes: snapshot_account

-- grain: one row per account
CREATE OR REPLACE TEMP TABLE snapshot_account AS
SELECT account_no, bool_or(is_listed) AS is_listed
FROM (
  SELECT account_no, true AS is_listed FROM received_account
  UNION ALL
  SELECT unnest(from_json(?, '["VARCHAR"]')), false
)
GROUP BY account_no;
