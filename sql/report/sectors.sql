-- grain: one row per industry of the session
SELECT coalesce(icb_name, icb_code, 'not known') AS sector, CAST(stocks_traded AS DOUBLE) AS stocks,
  CAST(advance AS DOUBLE) AS advance, CAST(decline AS DOUBLE) AS decline,
  CAST(no_change AS DOUBLE) AS no_change,
  CAST(total_match_value AS DOUBLE) AS match_value, CAST(foreign_net_value AS DOUBLE) AS foreign_net,
  CAST(coalesce(return_cap_weight, return_equal_weight) AS DOUBLE) AS change_part
FROM mart.sector
WHERE trading_date = $session AND stocks_traded > 0
ORDER BY change_part DESC NULLS LAST, sector;
