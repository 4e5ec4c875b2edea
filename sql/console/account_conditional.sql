-- grain: one row per conditional order of the account, as its latest snapshot has it
SELECT fco_id, symbol, type, side, quantity, matched_quantity, price, active_price, status, from_at, to_at
FROM account.conditional_order
WHERE account_no = $account
QUALIFY row_number() OVER (PARTITION BY fco_id ORDER BY snapshot_id DESC) = 1
ORDER BY from_at DESC NULLS LAST, fco_id
