-- grain: one row per step in the life of a conditional order
-- Of one account, or of all: ALL.
SELECT account_no, fco_id, ordinal, state, occurred_at, code, detail
FROM account.conditional_order_event
WHERE $account IN ('ALL', account_no)
QUALIFY row_number() OVER (PARTITION BY fco_id, ordinal ORDER BY snapshot_id DESC) = 1
ORDER BY account_no, fco_id, ordinal
