-- grain: one row per derivative side of PP/MMR of the pages being loaded; reason is null if it is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH named AS (
  SELECT
    request_id, ordinal, received_at, account_no AS asked_account, r,
    coalesce(nullif(r['accountNo'], ''), account_no) AS account_no,
    [
      'accountBalance', 'fee', 'commission', 'interest', 'loan', 'deliveryAmount', 'floatingPL', 'tradingPL',
      'totalPL', 'marginable', 'depositable', 'rcCall', 'withdrawable', 'nonCashDrawableRCCall',
      'totalEquity', 'extInterest', 'cashBroker', 'cashDepository', 'validNonCashBroker',
      'validNonCashDepository', 'totalAssetBroker', 'totalAssetDepository', 'withdrawableBroker',
      'withdrawableDepository', 'eeBroker', 'eeDepository', 'spreadMarginBroker', 'spreadMarginDepository',
      'deliveryMarginBroker', 'deliveryMarginDepository', 'marginReqBroker', 'marginReqDepository',
      'accountRatioBroker', 'accountRatioDepository', 'usedLimitWarningLevel1Broker',
      'usedLimitWarningLevel1Depository', 'usedLimitWarningLevel2Broker', 'usedLimitWarningLevel2Depository',
      'usedLimitWarningLevel3Broker', 'usedLimitWarningLevel3Depository', 'marginCallBroker',
      'marginCallDepository'
    ] AS names
  FROM snapshot_record
), figure AS (
  SELECT *,
    money_of(r, names) AS money,
    ratios_of(r, [
      'accountRatioBroker', 'accountRatioDepository', 'usedLimitWarningLevel1Broker',
      'usedLimitWarningLevel1Depository', 'usedLimitWarningLevel2Broker', 'usedLimitWarningLevel2Depository',
      'usedLimitWarningLevel3Broker', 'usedLimitWarningLevel3Depository'
    ]) AS ratios
  FROM named
)
SELECT
  request_id, ordinal, received_at, account_no, money['accountBalance'] AS account_balance,
  money['fee'] AS fee, money['commission'] AS commission, money['interest'] AS interest,
  money['loan'] AS loan, money['deliveryAmount'] AS delivery_amount, money['floatingPL'] AS floating_pl,
  money['tradingPL'] AS trading_pl, money['totalPL'] AS total_pl, money['marginable'] AS marginable,
  money['depositable'] AS depositable, money['rcCall'] AS rc_call, money['withdrawable'] AS withdrawable,
  money['nonCashDrawableRCCall'] AS non_cash_drawable_rc_call, money['totalEquity'] AS total_equity,
  money['extInterest'] AS ext_interest, money['cashBroker'] AS cash_broker,
  money['cashDepository'] AS cash_depository, money['validNonCashBroker'] AS valid_non_cash_broker,
  money['validNonCashDepository'] AS valid_non_cash_depository,
  money['totalAssetBroker'] AS total_asset_broker, money['totalAssetDepository'] AS total_asset_depository,
  money['withdrawableBroker'] AS withdrawable_broker,
  money['withdrawableDepository'] AS withdrawable_depository, money['eeBroker'] AS ee_broker,
  money['eeDepository'] AS ee_depository, money['spreadMarginBroker'] AS spread_margin_broker,
  money['spreadMarginDepository'] AS spread_margin_depository,
  money['deliveryMarginBroker'] AS delivery_margin_broker,
  money['deliveryMarginDepository'] AS delivery_margin_depository,
  money['marginReqBroker'] AS margin_req_broker, money['marginReqDepository'] AS margin_req_depository,
  ratios['accountRatioBroker'] AS account_ratio_broker,
  ratios['accountRatioDepository'] AS account_ratio_depository,
  ratios['usedLimitWarningLevel1Broker'] AS used_limit_warning_level1_broker,
  ratios['usedLimitWarningLevel1Depository'] AS used_limit_warning_level1_depository,
  ratios['usedLimitWarningLevel2Broker'] AS used_limit_warning_level2_broker,
  ratios['usedLimitWarningLevel2Depository'] AS used_limit_warning_level2_depository,
  ratios['usedLimitWarningLevel3Broker'] AS used_limit_warning_level3_broker,
  ratios['usedLimitWarningLevel3Depository'] AS used_limit_warning_level3_depository,
  money['marginCallBroker'] AS margin_call_broker, money['marginCallDepository'] AS margin_call_depository,
  nullif(concat_ws('; ',
    missing('accountNo', account_no),
    not_asked('accountNo', r['accountNo'], asked_account),
    unread_figures(r, names, money, ratios)
  ), '') AS reason
FROM figure;
