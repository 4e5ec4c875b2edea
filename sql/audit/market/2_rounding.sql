-- grain: one row per session to check: half of the step to which its source rounds values (VND), volumes and
--   prices (VND); 0 where it does not round them. Those of bars: audit_bar_rounding
-- Measured on the session itself (session_steps). Lots and ticks are steps too: values round where their step
-- is above that of volumes times that of prices, volumes above the largest lot of the session. Prices are
-- compared with the tick of each row by the rules.
CREATE OR REPLACE TEMP TABLE audit_rounding AS
WITH figure AS (
  SELECT trading_date, 'value' AS measure,
    unnest([total_match_value, total_deal_value, total_foreign_buy_value,
      total_foreign_sell_value]) AS figure
  FROM audit_day
  UNION ALL
  SELECT trading_date, 'volume', unnest([total_match, total_deal, total_foreign_buy, total_foreign_sell])
  FROM audit_day
  UNION ALL
  SELECT trading_date, 'price', unnest([open, high, low, close]) FROM audit_day
), session_step AS (
  FROM session_steps('figure')
), largest_lot AS (
  SELECT trading_date, max(mart.lot_size(coalesce(board, 'HOSE'), trading_date)) AS lot
  FROM audit_day
  GROUP BY trading_date
)
SELECT audit_session.trading_date,
  CASE WHEN value_step > volume_step * price_step THEN value_step / 2 ELSE 0 END AS value_half,
  CASE WHEN volume_step > coalesce(lot, 1) THEN volume_step / 2 ELSE 0 END AS volume_half,
  CASE WHEN price_step > 1 THEN price_step / 2 ELSE 0 END AS price_half
FROM audit_session
LEFT JOIN session_step USING (trading_date)
LEFT JOIN largest_lot USING (trading_date);
