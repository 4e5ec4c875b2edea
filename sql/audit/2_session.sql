-- grain: one row per session to check, with the session before it. Variables audit_days (DATE[]),
--   audit_first, audit_last.
-- 45 days reach over the longest closure (Lunar New Year, nine days) with room for the 20-session range.
CREATE OR REPLACE TEMP TABLE known_session AS
SELECT trading_date FROM market.daily_summary
WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
GROUP BY ALL
UNION
SELECT trading_date FROM market.price_limit
WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
GROUP BY ALL;
CREATE OR REPLACE TEMP TABLE audit_session AS
SELECT day AS trading_date,
  -- not further back than a session that is checked alone sees
  (SELECT max(trading_date) FROM known_session
    WHERE trading_date < day AND trading_date >= day - getvariable('audit_back')) AS previous_date
FROM (SELECT unnest(getvariable('audit_days')) AS day);
