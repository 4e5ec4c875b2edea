-- grain: one row: whether margins of accounts can be asked for
-- False without a margin or derivative account, whose margins nobody need plan, and in a catalog that an
-- earlier version published, which has no view of them.
SELECT (EXISTS (FROM account.equity_margin) OR EXISTS (FROM account.derivative_margin))
  AND EXISTS (
    FROM duckdb_views() WHERE schema_name = 'mart' AND view_name = 'account_margin'
  ) AS has_margins
