-- grain: one row per symbol and session to check of which the runs being checked were the first to bring bars
--   of a timeframe, or an answer without bars
CREATE OR REPLACE TEMP TABLE touched_symbol AS
SELECT symbol, trading_date FROM new_bar
UNION
SELECT key, trading_date FROM audit_bar_coverage WHERE is_new;
