-- A corporate action is declared for a holding
-- key: symbol, ex_date, kind
WITH latest_day AS (
  SELECT account_no, max(trading_date) AS trading_date
  FROM mart.account_day
  GROUP BY account_no
), holding AS (
  SELECT DISTINCT symbol
  FROM mart.account_position
  SEMI JOIN latest_day USING (account_no, trading_date)
  WHERE quantity > 0
)
SELECT symbol, ex_date, kind, ratio, amount, price
FROM market.corporate_action
WHERE NOT is_withdrawn AND symbol IN (FROM holding)
ORDER BY ALL
