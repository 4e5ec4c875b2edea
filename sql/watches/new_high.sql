-- A holding has traded above every price of the 52 weeks before
-- key: symbol, trading_date
--
-- For a list of your own, write symbol IN ('FPT', 'HPG') in place of the holdings.
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
SELECT symbol, trading_date, close, round(high_52w_adjusted, 2) AS high_52w_adjusted, sessions
FROM mart.high_low_52w
WHERE trading_date = mart.latest_session() AND is_new_high AND symbol IN (FROM holding)
ORDER BY symbol
