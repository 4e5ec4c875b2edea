-- grain: one row per board and phase of a trading day that holds on every session to judge, in minutes after midnight
-- (UTC+7). Variable session_phases: data/reference/sessions.csv, which ships inside the package.
CREATE OR REPLACE TEMP TABLE session_phase AS
SELECT board, phase,
  CAST(split_part(starts, ':', 1) AS INTEGER) * 60 + CAST(split_part(starts, ':', 2) AS INTEGER) AS starts,
  CAST(split_part(ends, ':', 1) AS INTEGER) * 60 + CAST(split_part(ends, ':', 2) AS INTEGER) AS ends
FROM read_csv(getvariable('session_phases'), header = true, all_varchar = true)
WHERE valid_from <= CAST(getvariable('audit_last') AS VARCHAR)
  AND (coalesce(valid_to, '') = '' OR valid_to >= CAST(getvariable('audit_first') AS VARCHAR));
