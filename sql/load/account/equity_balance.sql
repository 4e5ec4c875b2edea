-- grain: one row per equity side of a balance of the pages being loaded; reason is null if it is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH named AS (
  SELECT
    request_id, ordinal, received_at, account_no AS asked_account, r,
    coalesce(nullif(r['accountNo'], ''), account_no) AS account_no,
    [
      'accountBalance', 'totalDebt', 'interestLoan', 'overdueFeeLoan', 'withdrawable', 'onHoldCash',
      'sellUnmatched', 'sellT0', 'sellT1', 'sellT2', 'buyUnmatched', 'buyT0', 'buyT1', 'buyT2',
      'advancedCashT0', 'advancedCashT1', 'holdSubscription', 'dividend'
    ] AS names
  FROM snapshot_record
), figure AS (
  SELECT *, money_of(r, names) AS money FROM named
)
SELECT
  request_id, ordinal, received_at, account_no, money['accountBalance'] AS account_balance,
  money['totalDebt'] AS total_debt, money['interestLoan'] AS interest_loan,
  money['overdueFeeLoan'] AS overdue_fee_loan, money['withdrawable'] AS withdrawable,
  money['onHoldCash'] AS on_hold_cash, money['sellUnmatched'] AS sell_unmatched, money['sellT0'] AS sell_t0,
  money['sellT1'] AS sell_t1, money['sellT2'] AS sell_t2, money['buyUnmatched'] AS buy_unmatched,
  money['buyT0'] AS buy_t0, money['buyT1'] AS buy_t1, money['buyT2'] AS buy_t2,
  money['advancedCashT0'] AS advanced_cash_t0, money['advancedCashT1'] AS advanced_cash_t1,
  money['holdSubscription'] AS hold_subscription, money['dividend'] AS dividend,
  nullif(concat_ws('; ',
    missing('accountNo', account_no),
    not_asked('accountNo', r['accountNo'], asked_account),
    unread_money(r, names, money)
  ), '') AS reason
FROM figure;
