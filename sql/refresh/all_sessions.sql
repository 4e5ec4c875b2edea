-- grain: one row per materialized table and session: relation and partition to compute again
SELECT 'mart.intraday', CAST(trading_date AS VARCHAR)
FROM market.candle WHERE timeframe = '1m' GROUP BY trading_date
UNION ALL
SELECT unnest(['mart.adjustment_event', 'mart.session_factor']), CAST(trading_date AS VARCHAR)
FROM market.price_limit GROUP BY trading_date
UNION ALL
SELECT unnest(['mart.chain_gap', 'mart.session_factor']), CAST(trading_date AS VARCHAR)
FROM market.daily_summary GROUP BY trading_date
