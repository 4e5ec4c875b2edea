-- grain: one row per equity side of PP/MMR of the pages being loaded; reason is null if it is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH named AS (
  SELECT
    request_id, ordinal, received_at, account_no AS asked_account, r,
    coalesce(nullif(r['accountNo'], ''), account_no) AS account_no,
    nullif(r['action'], '') AS action,
    nullif(r['actionBroker'], '') AS action_broker,
    [
      'dividend', 'loanValue', 'totalDebt', 'debt', 'liability', 'liabilityBroker', 'netLiability', 'fees',
      'interestBroker', 'interestSPV', 'withdrawable', 'ee', 'ee50', 'ee60', 'ee70', 'ee80', 'ee90', 'equity',
      'equityBroker', 'eeCash', 'holdSubscription', 'bankBalance', 'onHoldCash', 'doverdue',
      'doverdue_broker', 'accountBalance', 'd', 'dspv', 'dbroker', 'cia', 'collateralAsset',
      'collateralAssetBroker', 'totalAssets', 'totalEquity', 'totalEquityBroker', 'callLMV', 'forceLMV',
      'callLMVBroker', 'forceLMVBroker', 'lmv', 'lmvMargin', 'lmvMarginBroker', 'lmvNonMarginable',
      'lmvNonMarginableBroker', 'preLoan', 'marginRatio', 'marginRatioBroker', 'purchasingPower', 'eeOrigin',
      'buyUnmatched', 'sellUnmatched', 'buyT0', 'sellT0', 'sellT1', 'sellT2', 'buyT1', 'buyT2', 'creditLimit',
      'marginCallLMVSold', 'marginCallLMVSoldBroker', 'marginCall', 'marginCallBroker', 'collateralA',
      'collateralNon', 'collateralABroker', 'collateralNonBroker', 'callMargin', 'callForcesell',
      'callMarginBroker', 'callForcesellBroker', 'ar'
    ] AS names
  FROM snapshot_record
), figure AS (
  SELECT *,
    money_of(r, names) AS money,
    ratios_of(r, ['marginRatio', 'marginRatioBroker', 'ar']) AS ratios
  FROM named
)
SELECT
  request_id, ordinal, received_at, account_no, money['dividend'] AS dividend,
  money['loanValue'] AS loan_value, money['totalDebt'] AS total_debt, money['debt'] AS debt,
  money['liability'] AS liability, money['liabilityBroker'] AS liability_broker,
  money['netLiability'] AS net_liability, money['fees'] AS fees, money['interestBroker'] AS interest_broker,
  money['interestSPV'] AS interest_spv, money['withdrawable'] AS withdrawable, money['ee'] AS ee,
  money['ee50'] AS ee50, money['ee60'] AS ee60, money['ee70'] AS ee70, money['ee80'] AS ee80,
  money['ee90'] AS ee90, action, action_broker, money['equity'] AS equity,
  money['equityBroker'] AS equity_broker, money['eeCash'] AS ee_cash,
  money['holdSubscription'] AS hold_subscription, money['bankBalance'] AS bank_balance,
  money['onHoldCash'] AS on_hold_cash, money['doverdue'] AS doverdue,
  money['doverdue_broker'] AS doverdue_broker, money['accountBalance'] AS account_balance, money['d'] AS d,
  money['dspv'] AS dspv, money['dbroker'] AS dbroker, money['cia'] AS cia,
  money['collateralAsset'] AS collateral_asset, money['collateralAssetBroker'] AS collateral_asset_broker,
  money['totalAssets'] AS total_assets, money['totalEquity'] AS total_equity,
  money['totalEquityBroker'] AS total_equity_broker, money['callLMV'] AS call_lmv,
  money['forceLMV'] AS force_lmv, money['callLMVBroker'] AS call_lmv_broker,
  money['forceLMVBroker'] AS force_lmv_broker, money['lmv'] AS lmv, money['lmvMargin'] AS lmv_margin,
  money['lmvMarginBroker'] AS lmv_margin_broker, money['lmvNonMarginable'] AS lmv_non_marginable,
  money['lmvNonMarginableBroker'] AS lmv_non_marginable_broker, money['preLoan'] AS pre_loan,
  ratios['marginRatio'] AS margin_ratio, ratios['marginRatioBroker'] AS margin_ratio_broker,
  money['purchasingPower'] AS purchasing_power, money['eeOrigin'] AS ee_origin,
  money['buyUnmatched'] AS buy_unmatched, money['sellUnmatched'] AS sell_unmatched, money['buyT0'] AS buy_t0,
  money['sellT0'] AS sell_t0, money['sellT1'] AS sell_t1, money['sellT2'] AS sell_t2,
  money['buyT1'] AS buy_t1, money['buyT2'] AS buy_t2, money['creditLimit'] AS credit_limit,
  money['marginCallLMVSold'] AS margin_call_lmv_sold,
  money['marginCallLMVSoldBroker'] AS margin_call_lmv_sold_broker, money['marginCall'] AS margin_call,
  money['marginCallBroker'] AS margin_call_broker, money['collateralA'] AS collateral_a,
  money['collateralNon'] AS collateral_non, money['collateralABroker'] AS collateral_a_broker,
  money['collateralNonBroker'] AS collateral_non_broker, money['callMargin'] AS call_margin,
  money['callForcesell'] AS call_forcesell, money['callMarginBroker'] AS call_margin_broker,
  money['callForcesellBroker'] AS call_forcesell_broker, ratios['ar'] AS ar,
  nullif(concat_ws('; ',
    missing('accountNo', account_no),
    not_asked('accountNo', r['accountNo'], asked_account),
    unread_figures(r, names, money, ratios)
  ), '') AS reason
FROM figure;
