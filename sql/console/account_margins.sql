-- grain: one row per margin or derivative account: its margin by the latest complete snapshot
SELECT account_no, account_type, trading_date, action, total_assets, total_equity, total_debt, exposure,
  ratio, margin_call, call_ratio, force_ratio, call_assets, force_assets, call_distance, call_fall,
  force_distance, force_fall, required, warning_level_1, warning_level_2, warning_level_3, fall,
  assets_after, equity_after, ratio_after, action_after
FROM mart.account_margin
QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY trading_date DESC) = 1
ORDER BY account_no
