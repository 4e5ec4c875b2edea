-- grain: one row per ex-date of shares that one account, $account, held at the complete snapshot before it
-- trading_date: that of the first snapshot since. amount: what the reference price of the ex-date takes off a
-- share, VND: paid as money, or as new_shares. Less than half a percent may be the rounding of a reference.
-- tick: one step of that price, VND, to which amount is known. declared_amount: cash dividends that the
-- user's files declare, VND per share, before tax; null where none is. A declared one counts without a
-- reference price too: amount is then what is declared, and tick 0. It counts once, on the session that
-- mart.adjustment_event has for it; one of more than the share is worth is refused there and here.
WITH held_share AS (
  SELECT change.trading_date, change.before_of, change.symbol,
    CAST(change.quantity_before AS DOUBLE) AS quantity
  FROM mart.position_change change
  WHERE change.account_no = $account AND change.quantity_before > 0
), declared_dividend AS (
  SELECT symbol, ex_date, CAST(sum(amount) AS DOUBLE) AS amount
  FROM market.corporate_action
  WHERE kind = 'cash_dividend' AND NOT is_withdrawn AND amount > 0
  GROUP BY symbol, ex_date
), declared_event AS (
  -- broken_on: the session on which the reference breaks as declared, where that is another one
  SELECT symbol, ex_date, remark LIKE '%refused: the cash%' AS is_refused,
    TRY_CAST(regexp_extract(remark, 'the reference price breaks on (\d{4}-\d{2}-\d{2})', 1) AS DATE)
      AS broken_on
  FROM mart.adjustment_event
  WHERE kinds LIKE '%cash_dividend%'
), placed_dividend AS (
  SELECT dividend.symbol, dividend.amount,
    CASE WHEN event.ex_date - dividend.ex_date <= 45 THEN coalesce(event.broken_on, event.ex_date)
      ELSE dividend.ex_date END AS ex_date,
    event.ex_date - dividend.ex_date <= 45 AND event.is_refused AS is_refused
  FROM declared_dividend dividend
  ASOF LEFT JOIN declared_event event
    ON event.symbol = dividend.symbol AND dividend.ex_date <= event.ex_date
), declared AS (
  SELECT symbol, ex_date, sum(amount) AS declared_amount
  FROM placed_dividend
  WHERE NOT coalesce(is_refused, false)
  GROUP BY symbol, ex_date
), shown AS (
  SELECT event.symbol, event.ex_date,
    CAST(event.previous_basis AS DOUBLE) AS previous_basis,
    CAST(event.previous_basis - event.ref_price AS DOUBLE) AS amount,
    1 / event.factor - 1 AS shares_per_share
  FROM mart.adjustment_event event
  WHERE event.factor < 0.995 AND event.basis_kind <> 'settlement'
), ex_date AS (
  SELECT coalesce(shown.symbol, declared.symbol) AS symbol,
    coalesce(shown.ex_date, declared.ex_date) AS ex_date, previous_basis,
    coalesce(shown.amount, declared.declared_amount) AS amount,
    coalesce(shares_per_share, 0) AS shares_per_share, declared_amount
  FROM shown
  FULL JOIN declared ON declared.symbol = shown.symbol AND declared.ex_date = shown.ex_date
)
SELECT CAST(held_share.trading_date AS VARCHAR) AS trading_date, CAST(ex_date.ex_date AS VARCHAR) AS ex_date,
  held_share.symbol, held_share.quantity, ex_date.amount,
  held_share.quantity * ex_date.shares_per_share AS new_shares,
  -- Of a symbol whose board is not stored, the widest step of a share at that price.
  CAST(CASE WHEN ex_date.previous_basis IS NULL THEN 0
    ELSE coalesce(mart.tick_size(mart.trading_board(security.symbol, security.board),
        mart.instrument_kind(security.symbol, NULL), ex_date.previous_basis, ex_date.ex_date),
      greatest(mart.tick_size('HOSE', 'stock', ex_date.previous_basis, ex_date.ex_date),
        mart.tick_size('HNX', 'stock', ex_date.previous_basis, ex_date.ex_date)), 0) END AS DOUBLE) AS tick,
  ex_date.declared_amount
FROM held_share
JOIN ex_date
  ON ex_date.symbol = held_share.symbol AND ex_date.ex_date > held_share.before_of
    AND ex_date.ex_date <= held_share.trading_date
LEFT JOIN market.security security ON security.symbol = held_share.symbol
ORDER BY held_share.trading_date, ex_date.ex_date, held_share.symbol;
