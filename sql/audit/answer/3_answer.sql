-- grain: one row per dataset, key, timeframe and session to check that was requested of the service
CREATE OR REPLACE TEMP VIEW audit_answer AS
FROM audit_coverage
UNION ALL
SELECT * EXCLUDE (is_new) FROM audit_bar_coverage;
