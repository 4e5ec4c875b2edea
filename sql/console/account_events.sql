-- grain: one row per step in the life of a conditional order of the account
SELECT fco_id, ordinal, state, occurred_at, code, detail
FROM account.conditional_order_event
WHERE account_no = $account
QUALIFY row_number() OVER (PARTITION BY fco_id, ordinal ORDER BY snapshot_id DESC) = 1
ORDER BY fco_id, ordinal
