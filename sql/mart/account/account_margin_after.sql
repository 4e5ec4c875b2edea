-- grain: one row per margin or derivative account and trading date with a complete snapshot, at a fall of
--   all prices (0.07 = 7 %)
-- Shares (equity_margin): the specification does not explain the fields. call_lmv and force_lmv are read as
-- the assets, cash included, at which the service asks for money and sells: where they are stated 0, no
-- level is known. Equity over assets there is 1 - debt / level. A fall takes fall x lmv off assets and off
-- equity; debt stays. Contracts (derivative_margin): account_ratio is margin required over assets,
-- used_limit_warning levels 1 to 3 its limits: a fall takes fall x the signed value of the contracts off
-- the assets, and fall of what is required. A service states each figure at the broker and at the
-- depository: the depository's of contracts, the broker's own of shares.
CREATE OR REPLACE MACRO mart.account_margin_after(fall) AS TABLE
WITH contract_exposure AS (
  SELECT account_no, trading_date,
    CASE WHEN count(*) = count(market_value) THEN sum(market_value) END AS market_value
  FROM mart.position_value
  GROUP BY account_no, trading_date
), share_margin AS (
  SELECT day.account_no, day.account_type, day.trading_date, margin.action,
    CAST(margin.total_assets AS DOUBLE) AS total_assets, CAST(margin.total_equity AS DOUBLE) AS total_equity,
    CAST(margin.total_debt AS DOUBLE) AS total_debt, CAST(margin.lmv AS DOUBLE) AS exposure,
    margin.margin_ratio AS ratio, CAST(margin.margin_call AS DOUBLE) AS margin_call,
    CASE WHEN margin.call_lmv > 0 THEN CAST(margin.call_lmv AS DOUBLE) END AS call_assets,
    CASE WHEN margin.force_lmv > 0 THEN CAST(margin.force_lmv AS DOUBLE) END AS force_assets,
    1 - total_debt / call_assets AS call_ratio, 1 - total_debt / force_assets AS force_ratio,
    total_assets - fall * exposure AS assets_after, total_equity - fall * exposure AS equity_after,
    equity_after / nullif(assets_after, 0) AS ratio_after,
    CASE
      WHEN total_debt = 0 THEN 'NONE'
      WHEN assets_after < force_assets THEN 'FORCESELL'
      WHEN assets_after < call_assets THEN 'CALL'
      WHEN assets_after IS NOT NULL AND call_assets IS NOT NULL AND force_assets IS NOT NULL THEN 'NONE'
    END AS action_after
  FROM mart.account_day day
  JOIN account.equity_margin margin
    ON margin.snapshot_id = day.snapshot_id AND margin.account_no = day.account_no
  WHERE day.account_type = 'MARGIN'
), contract_margin AS (
  SELECT day.account_no, day.account_type, day.trading_date,
    CAST(margin.total_asset_depository AS DOUBLE) AS total_assets,
    CAST(margin.total_equity AS DOUBLE) AS total_equity, CAST(margin.loan AS DOUBLE) AS total_debt,
    CASE WHEN contract_exposure.account_no IS NULL THEN 0 ELSE contract_exposure.market_value END AS exposure,
    margin.account_ratio_depository AS ratio, CAST(margin.margin_call_depository AS DOUBLE) AS margin_call,
    CAST(margin.margin_req_depository AS DOUBLE) AS required,
    nullif(margin.used_limit_warning_level1_depository, 0) AS warning_level_1,
    nullif(margin.used_limit_warning_level2_depository, 0) AS warning_level_2,
    nullif(margin.used_limit_warning_level3_depository, 0) AS warning_level_3,
    total_assets - fall * exposure AS assets_after, total_equity - fall * exposure AS equity_after,
    CASE WHEN assets_after > 0 THEN required * (1 - fall) / assets_after END AS ratio_after
  FROM mart.account_day day
  JOIN account.derivative_margin margin
    ON margin.snapshot_id = day.snapshot_id AND margin.account_no = day.account_no
  LEFT JOIN contract_exposure ON contract_exposure.account_no = day.account_no
    AND contract_exposure.trading_date = day.trading_date
)
SELECT account_no, account_type, trading_date, action, total_assets, total_equity, total_debt, exposure,
  ratio, margin_call, call_ratio, force_ratio, call_assets, force_assets,
  total_assets - call_assets AS call_distance,
  (total_assets - call_assets) / nullif(exposure, 0) AS call_fall,
  total_assets - force_assets AS force_distance,
  (total_assets - force_assets) / nullif(exposure, 0) AS force_fall,
  NULL::DOUBLE AS required, NULL::DOUBLE AS warning_level_1, NULL::DOUBLE AS warning_level_2,
  NULL::DOUBLE AS warning_level_3, CAST(fall AS DOUBLE) AS fall, assets_after, equity_after, ratio_after,
  action_after
FROM share_margin
UNION ALL BY NAME
SELECT account_no, account_type, trading_date, total_assets, total_equity, total_debt, exposure, ratio,
  margin_call, required, warning_level_1, warning_level_2, warning_level_3, CAST(fall AS DOUBLE) AS fall,
  assets_after, equity_after, ratio_after,
  CASE
    WHEN ratio_after > warning_level_3 OR assets_after <= 0 THEN 'LEVEL3'
    WHEN ratio_after > warning_level_2 THEN 'LEVEL2'
    WHEN ratio_after > warning_level_1 THEN 'LEVEL1'
    WHEN ratio_after IS NOT NULL AND warning_level_1 IS NOT NULL THEN 'NONE'
  END AS action_after
FROM contract_margin;
COMMENT ON MACRO TABLE mart.account_margin_after IS
  'Margin of each account and session, and what a fall of all prices by a fraction (0.07) would make of it: '
  'columns as in mart.account_margin.';
