-- grain: one row per account and symbol that the latest complete snapshot of the account holds
WITH latest AS (
  SELECT account_no, max(snapshot_id) AS snapshot_id
  FROM account.snapshot WHERE state = 'complete' GROUP BY account_no
)
SELECT account_no AS account, symbol
FROM account.equity_position SEMI JOIN latest USING (account_no, snapshot_id)
UNION ALL
SELECT account_no, symbol
FROM account.derivative_position_summary SEMI JOIN latest USING (account_no, snapshot_id)
ORDER BY ALL;
