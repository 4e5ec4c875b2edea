-- grain: one row per equity side of a balance of the pages being loaded; reason is null where it can be
-- believed
-- reads: snapshot_record
-- writes: typed_record
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, account_no AS asked_account, r,
    coalesce(nullif(r.accountNo, ''), account_no) AS account_no,
    parse_money(r.accountBalance) AS account_balance,
    parse_money(r.totalDebt) AS total_debt,
    parse_money(r.interestLoan) AS interest_loan,
    parse_money(r.overdueFeeLoan) AS overdue_fee_loan,
    parse_money(r.withdrawable) AS withdrawable,
    parse_money(r.onHoldCash) AS on_hold_cash,
    parse_money(r.sellUnmatched) AS sell_unmatched,
    parse_money(r.sellT0) AS sell_t0,
    parse_money(r.sellT1) AS sell_t1,
    parse_money(r.sellT2) AS sell_t2,
    parse_money(r.buyUnmatched) AS buy_unmatched,
    parse_money(r.buyT0) AS buy_t0,
    parse_money(r.buyT1) AS buy_t1,
    parse_money(r.buyT2) AS buy_t2,
    parse_money(r.advancedCashT0) AS advanced_cash_t0,
    parse_money(r.advancedCashT1) AS advanced_cash_t1,
    parse_money(r.holdSubscription) AS hold_subscription,
    parse_money(r.dividend) AS dividend
  FROM snapshot_record
)
SELECT
  request_id, ordinal, received_at,
  account_no, account_balance, total_debt, interest_loan, overdue_fee_loan, withdrawable,
  on_hold_cash, sell_unmatched, sell_t0, sell_t1, sell_t2, buy_unmatched, buy_t0, buy_t1, buy_t2,
  advanced_cash_t0, advanced_cash_t1, hold_subscription, dividend,
  nullif(concat_ws('; ',
    missing('accountNo', account_no),
    not_asked('accountNo', r.accountNo, asked_account),
    unread('accountBalance', r.accountBalance, account_balance, 'a plain number with at most 4 decimals'),
    unread('totalDebt', r.totalDebt, total_debt, 'a plain number with at most 4 decimals'),
    unread('interestLoan', r.interestLoan, interest_loan, 'a plain number with at most 4 decimals'),
    unread('overdueFeeLoan', r.overdueFeeLoan, overdue_fee_loan, 'a plain number with at most 4 decimals'),
    unread('withdrawable', r.withdrawable, withdrawable, 'a plain number with at most 4 decimals'),
    unread('onHoldCash', r.onHoldCash, on_hold_cash, 'a plain number with at most 4 decimals'),
    unread('sellUnmatched', r.sellUnmatched, sell_unmatched, 'a plain number with at most 4 decimals'),
    unread('sellT0', r.sellT0, sell_t0, 'a plain number with at most 4 decimals'),
    unread('sellT1', r.sellT1, sell_t1, 'a plain number with at most 4 decimals'),
    unread('sellT2', r.sellT2, sell_t2, 'a plain number with at most 4 decimals'),
    unread('buyUnmatched', r.buyUnmatched, buy_unmatched, 'a plain number with at most 4 decimals'),
    unread('buyT0', r.buyT0, buy_t0, 'a plain number with at most 4 decimals'),
    unread('buyT1', r.buyT1, buy_t1, 'a plain number with at most 4 decimals'),
    unread('buyT2', r.buyT2, buy_t2, 'a plain number with at most 4 decimals'),
    unread('advancedCashT0', r.advancedCashT0, advanced_cash_t0, 'a plain number with at most 4 decimals'),
    unread('advancedCashT1', r.advancedCashT1, advanced_cash_t1, 'a plain number with at most 4 decimals'),
    unread('holdSubscription', r.holdSubscription, hold_subscription,
      'a plain number with at most 4 decimals'),
    unread('dividend', r.dividend, dividend, 'a plain number with at most 4 decimals')
  ), '') AS reason
FROM typed;
