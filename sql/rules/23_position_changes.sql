-- grain: one row per account and symbol that was held, is held or was traded between two complete snapshots
-- rule: 23
-- title: a position changes by what its orders filled
-- severity: warn
-- about: accounts
-- learning: yes
-- reach: back 90 days, forward 0 days, snapshot before, securities
-- needs: a complete snapshot, a complete one before it, and something held or traded
-- why: shares come and go by trades, dividends and rights; the rest is a fill that the order book lacks, a
--   transfer, or a fault. Positions beside orders: that quantity counts shares from the trade on is not
--   specified (123 of 123 on sandbox)
-- evidence: none measured
-- tolerance: none; but where an ex-date lies in between, new shares may be added at once as far as the
--   reference price shows them: to half a percent of what was held (the reference is rounded to a tick) and
--   one share (fractions)
SELECT as_of AS trading_date, account_no AS subject, relation,
  account_key_of(account_no, 'symbol', symbol) AS key,
  as_text(expected_quantity) || ' (' || as_text(quantity_before) || ' on ' || before_of || ', bought '
    || as_text(bought) || ', sold ' || as_text(sold)
    || CASE WHEN from_dividends <> 0 THEN ', dividends ' || as_text(from_dividends) ELSE '' END
    || CASE WHEN expired <> 0 THEN ', expired ' || as_text(expired) ELSE '' END || ')' AS expected,
  CASE
    WHEN residual IS NULL THEN 'the quantity of ' || symbol || ' is not reported in both snapshots'
    ELSE as_text(quantity)
  END AS actual,
  residual,
  CASE
    WHEN residual IS NULL THEN 'not_evaluable'
    WHEN residual = 0 THEN 'pass'
    WHEN entitled > 0 AND abs(num(residual) - (entitled - (dividend_quantity - dividend_before)))
      <= 1 + 0.005 * quantity_before THEN 'pass'
    ELSE 'break'
  END AS result
FROM mart.position_match(getvariable('audit_as_of'))
UNION ALL
SELECT as_of, account_no, 'account.snapshot', account_key(account_no), NULL,
  'there is no complete snapshot before it', NULL, 'not_evaluable'
FROM audit_account WHERE state = 'complete' AND before_id IS NULL
