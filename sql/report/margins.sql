-- grain: one row per margin or derivative account: its margin on its latest trading date up to the day
SELECT account_no, account_type, trading_date, action, ratio, margin_call, call_ratio, force_ratio,
  call_distance, call_fall, force_distance, warning_level_1, warning_level_2, warning_level_3, fall,
  ratio_after, action_after
FROM mart.account_margin
WHERE trading_date <= $day
QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY trading_date DESC) = 1
ORDER BY account_no;
