-- grain: one row per derivative side of a balance of the pages being loaded; reason is null where it can be
-- believed
-- reads: snapshot_record
-- writes: typed_record
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, account_no AS asked_account, r,
    coalesce(nullif(r.accountNo, ''), account_no) AS account_no,
    parse_money(r.accountBalance) AS account_balance,
    parse_money(r.fee) AS fee,
    parse_money(r.commission) AS commission,
    parse_money(r.interest) AS interest,
    parse_money(r.extInterest) AS ext_interest,
    parse_money(r.loan) AS loan,
    parse_money(r.deliveryAmount) AS delivery_amount,
    parse_money(r.floatingPL) AS floating_pl,
    parse_money(r.tradingPL) AS trading_pl,
    parse_money(r.totalPL) AS total_pl,
    parse_money(r.withdrawable) AS withdrawable,
    parse_money(r.cashBroker) AS cash_broker,
    parse_money(r.cashDepository) AS cash_depository,
    parse_money(r.validNonCashBroker) AS valid_non_cash_broker,
    parse_money(r.validNonCashDepository) AS valid_non_cash_depository,
    parse_money(r.withdrawableBroker) AS withdrawable_broker,
    parse_money(r.withdrawableDepository) AS withdrawable_depository
  FROM snapshot_record
)
SELECT
  request_id, ordinal, received_at,
  account_no, account_balance, fee, commission, interest, ext_interest, loan, delivery_amount,
  floating_pl, trading_pl, total_pl, withdrawable, cash_broker, cash_depository,
  valid_non_cash_broker, valid_non_cash_depository, withdrawable_broker, withdrawable_depository,
  nullif(concat_ws('; ',
    missing('accountNo', account_no),
    not_asked('accountNo', r.accountNo, asked_account),
    unread('accountBalance', r.accountBalance, account_balance, 'a plain number with at most 4 decimals'),
    unread('fee', r.fee, fee, 'a plain number with at most 4 decimals'),
    unread('commission', r.commission, commission, 'a plain number with at most 4 decimals'),
    unread('interest', r.interest, interest, 'a plain number with at most 4 decimals'),
    unread('extInterest', r.extInterest, ext_interest, 'a plain number with at most 4 decimals'),
    unread('loan', r.loan, loan, 'a plain number with at most 4 decimals'),
    unread('deliveryAmount', r.deliveryAmount, delivery_amount, 'a plain number with at most 4 decimals'),
    unread('floatingPL', r.floatingPL, floating_pl, 'a plain number with at most 4 decimals'),
    unread('tradingPL', r.tradingPL, trading_pl, 'a plain number with at most 4 decimals'),
    unread('totalPL', r.totalPL, total_pl, 'a plain number with at most 4 decimals'),
    unread('withdrawable', r.withdrawable, withdrawable, 'a plain number with at most 4 decimals'),
    unread('cashBroker', r.cashBroker, cash_broker, 'a plain number with at most 4 decimals'),
    unread('cashDepository', r.cashDepository, cash_depository, 'a plain number with at most 4 decimals'),
    unread('validNonCashBroker', r.validNonCashBroker, valid_non_cash_broker,
      'a plain number with at most 4 decimals'),
    unread('validNonCashDepository', r.validNonCashDepository, valid_non_cash_depository,
      'a plain number with at most 4 decimals'),
    unread('withdrawableBroker', r.withdrawableBroker, withdrawable_broker,
      'a plain number with at most 4 decimals'),
    unread('withdrawableDepository', r.withdrawableDepository, withdrawable_depository,
      'a plain number with at most 4 decimals')
  ), '') AS reason
FROM typed;
