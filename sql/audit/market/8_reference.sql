-- grain: one row per symbol and session to check whose reference price can be compared with its basis
--   (mart.adjustment_candidate), for the rules 5 and 46: planning it takes 20 to 30 ms, for each of them once
--   more where it breaks.
CREATE OR REPLACE TEMP TABLE audit_reference AS
FROM mart.adjustment_candidate(getvariable('audit_first'), getvariable('audit_last'))
WHERE ex_date IN (SELECT trading_date FROM audit_session);
