-- grain: one row per equity account with PP/MMR
-- rule: 32
-- title: lmv ≈ Σ quantity × close
-- severity: warn
-- about: equity
-- learning: yes
-- reach: back 45 days, forward 0 days
-- needs: a complete snapshot with PP/MMR that reports lmv, and the daily summaries of its trading date
-- why: lmv reads as the market value of what is held (long market value); the specification does not say so
-- evidence: none measured
-- tolerance: 0.1 % and 1,000 VND: each position may be rounded, and prices of boards that close at different
--   times may be a print apart. Not checked while the session ran (8:45 to 15:10): prices moved on. A symbol
--   that did not trade counts at its latest close of 45 days
WITH account_margin AS (
  SELECT snapshot.account_no, snapshot.snapshot_id, snapshot.as_of, num(margin.lmv) AS lmv,
    while_trading(snapshot.received_at, snapshot.as_of) AS is_early
  FROM audit_account snapshot
  JOIN account.equity_margin margin
    ON margin.snapshot_id = snapshot.snapshot_id AND margin.account_no = snapshot.account_no
  WHERE snapshot.state = 'complete' AND margin.lmv IS NOT NULL AND snapshot.side = 'equity'
), holding AS (
  SELECT account_margin.account_no, position.symbol, num(position.quantity) AS quantity
  FROM account_margin
  JOIN account.equity_position position
    ON position.snapshot_id = account_margin.snapshot_id AND position.account_no = account_margin.account_no
  WHERE position.quantity <> 0 OR position.quantity IS NULL
), latest_close AS (
  SELECT symbol, num(arg_max(close, trading_date)) AS close
  FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_as_of')
    AND close > 0 AND symbol IN (SELECT symbol FROM holding)
  GROUP BY symbol
), account_value AS (
  SELECT holding.account_no, sum(quantity * close) AS value,
    string_agg(holding.symbol, ', '
      ORDER BY holding.symbol) FILTER (WHERE quantity IS NULL OR close IS NULL) AS unknown
  FROM holding LEFT JOIN latest_close USING (symbol) GROUP BY holding.account_no
), comparison AS (
  SELECT account_margin.*, coalesce(value, 0) AS value,
    CASE
      WHEN is_early THEN 'it was taken while its session ran'
      WHEN NOT EXISTS (FROM known_session WHERE known_session.trading_date = account_margin.as_of)
        THEN 'the daily summaries of ' || account_margin.as_of || ' are not stored'
      WHEN unknown IS NOT NULL THEN 'no quantity or no close of 45 days is known of ' || unknown
    END AS reason
  FROM account_margin LEFT JOIN account_value USING (account_no)
)
SELECT as_of AS trading_date, account_no AS subject, 'account.equity_margin' AS relation,
  account_key(account_no) AS key,
  as_text(round(value, 2)) AS expected, coalesce(reason, as_text(lmv)) AS actual, lmv - value AS residual,
  CASE
    WHEN reason IS NOT NULL THEN 'not_evaluable'
    WHEN abs(lmv - value) <= 1000 + 0.001 * abs(value) THEN 'pass'
    ELSE 'break'
  END AS result
FROM comparison
