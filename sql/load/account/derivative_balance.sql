-- grain: one row per derivative side of a balance of the pages being loaded; reason is null if it is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH named AS (
  SELECT
    request_id, ordinal, received_at, account_no AS asked_account, r,
    coalesce(nullif(r['accountNo'], ''), account_no) AS account_no,
    [
      'accountBalance', 'fee', 'commission', 'interest', 'extInterest', 'loan', 'deliveryAmount',
      'floatingPL', 'tradingPL', 'totalPL', 'withdrawable', 'cashBroker', 'cashDepository',
      'validNonCashBroker', 'validNonCashDepository', 'withdrawableBroker', 'withdrawableDepository'
    ] AS names
  FROM snapshot_record
), figure AS (
  SELECT *, money_of(r, names) AS money FROM named
)
SELECT
  request_id, ordinal, received_at, account_no, money['accountBalance'] AS account_balance,
  money['fee'] AS fee, money['commission'] AS commission, money['interest'] AS interest,
  money['extInterest'] AS ext_interest, money['loan'] AS loan, money['deliveryAmount'] AS delivery_amount,
  money['floatingPL'] AS floating_pl, money['tradingPL'] AS trading_pl, money['totalPL'] AS total_pl,
  money['withdrawable'] AS withdrawable, money['cashBroker'] AS cash_broker,
  money['cashDepository'] AS cash_depository, money['validNonCashBroker'] AS valid_non_cash_broker,
  money['validNonCashDepository'] AS valid_non_cash_depository,
  money['withdrawableBroker'] AS withdrawable_broker,
  money['withdrawableDepository'] AS withdrawable_depository,
  nullif(concat_ws('; ',
    missing('accountNo', account_no),
    not_asked('accountNo', r['accountNo'], asked_account),
    unread_money(r, names, money)
  ), '') AS reason
FROM figure;
