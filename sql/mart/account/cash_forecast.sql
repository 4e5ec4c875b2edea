-- grain: one row per equity account, trading date with a complete snapshot, and step: now, settlement of
--   that day, of the next two sessions, and dividends whose day is not known
-- Trades settle on the second session after them (mart.settlement_session): what was sold or bought on the
-- snapshot's day on t2_date, the session before on t1_date, two sessions before on the day itself until about
-- 13:00 (sell_t2 and buy_t2: 0 in the evening). account_balance counts what was bought until it is paid.
-- Dividends have no pay date in any source: they are the last step, after tax, by what the balance reports as
-- to come (dividend), one sum without symbols. Orders that are not matched, advances and payments of the
-- owner are not in it.
CREATE OR REPLACE VIEW mart.cash_forecast AS
WITH balance AS (
  SELECT day.account_no, day.trading_date, day.snapshot_id, settlement.t1_date, settlement.t2_date,
    CAST(balance.account_balance AS DOUBLE) AS account_balance, CAST(balance.sell_t0 AS DOUBLE) AS sell_t0,
    CAST(balance.sell_t1 AS DOUBLE) AS sell_t1, CAST(balance.sell_t2 AS DOUBLE) AS sell_t2,
    CAST(balance.buy_t0 AS DOUBLE) AS buy_t0, CAST(balance.buy_t1 AS DOUBLE) AS buy_t1,
    CAST(balance.buy_t2 AS DOUBLE) AS buy_t2,
    CAST(balance.dividend AS DOUBLE) * (1 - mart.dividend_tax(day.trading_date) / 100) AS dividend
  FROM mart.account_day day
  JOIN account.equity_balance balance
    ON balance.snapshot_id = day.snapshot_id AND balance.account_no = day.account_no
  LEFT JOIN mart.settlement_session settlement ON settlement.trading_date = day.trading_date
), step AS (
  SELECT account_no, trading_date, snapshot_id, account_balance, unnest([
    {ordinal: 0, step: 'now', settles_on: trading_date, sells: 0::DOUBLE, buys: 0::DOUBLE,
      dividends: 0::DOUBLE},
    {ordinal: 1, step: 't0', settles_on: trading_date, sells: sell_t2, buys: buy_t2, dividends: 0},
    {ordinal: 2, step: 't1', settles_on: t1_date, sells: sell_t1, buys: buy_t1, dividends: 0},
    {ordinal: 3, step: 't2', settles_on: t2_date, sells: sell_t0, buys: buy_t0, dividends: 0},
    {ordinal: 4, step: 'dividends', settles_on: NULL, sells: 0, buys: 0, dividends: dividend}
  ], recursive := true)
  FROM balance
)
SELECT account_no, trading_date, CAST(ordinal AS BIGINT) AS ordinal, step, settles_on, sells, buys, dividends,
  account_balance + CASE WHEN count(*) OVER up_to = count(sells + buys + dividends) OVER up_to
    THEN sum(sells - buys + dividends) OVER up_to END AS balance,
  snapshot_id
FROM step
WINDOW up_to AS (PARTITION BY account_no, trading_date ORDER BY ordinal);
COMMENT ON VIEW mart.cash_forecast IS
  'One row per equity account, trading date and step of settlement: cash now, what arrives and leaves on '
  'which day, and the balance that results.';
COMMENT ON COLUMN mart.cash_forecast.ordinal IS 'Order of the steps, from 0.';
COMMENT ON COLUMN mart.cash_forecast.step IS
  'now; t0 (trades of two sessions before, due on trading_date), t1 (of the session before), t2 (of '
  'trading_date); dividends.';
COMMENT ON COLUMN mart.cash_forecast.settles_on IS
  'Day of the step; null for dividends, whose day no source has, and where the calendar does not name the '
  'year.';
COMMENT ON COLUMN mart.cash_forecast.sells IS
  'Arrives from sales, VND, after fee and tax; null where the balance does not report it.';
COMMENT ON COLUMN mart.cash_forecast.buys IS
  'Leaves for buys, VND; null where the balance does not report it.';
COMMENT ON COLUMN mart.cash_forecast.dividends IS
  'Cash dividends to come, VND, after the tax of mart.dividend_tax: the balance is read as before tax.';
COMMENT ON COLUMN mart.cash_forecast.balance IS
  'account_balance after this step, VND; null from the first step on of which a part is not reported.';
